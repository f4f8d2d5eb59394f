//! Whether servers may ask for a model.

use api::{HostError, SamplingView, SetSampling, ShowSampling};
use calls::Calls;
use calls::sampling;
use servers::Surface;

pub(crate) async fn show_sampling(
    calls: &Calls,
    ShowSampling { server }: ShowSampling,
    _: &Surface,
) -> Result<SamplingView, HostError> {
    sampling::show(calls, &server).await
}

pub(crate) async fn set_sampling(
    calls: &Calls,
    SetSampling { server, settings }: SetSampling,
    surface: &Surface,
) -> Result<SamplingView, HostError> {
    sampling::set(calls, &server, settings, surface).await
}
