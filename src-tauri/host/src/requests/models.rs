//! Models that a person sets up.

use crate::commands::models;
use api::{
    AddModel, ChangeModel, FindModels, HostError, ListModels, LocalModels, ModelCheck, ModelView,
    RemoveModel, TestModel,
};
use calls::Calls;
use servers::Surface;

pub(crate) async fn list_models(
    calls: &Calls,
    _: ListModels,
    _: &Surface,
) -> Result<Vec<ModelView>, HostError> {
    models::list(calls).await
}

pub(crate) async fn find_models(
    calls: &Calls,
    _: FindModels,
    _: &Surface,
) -> Result<Vec<LocalModels>, HostError> {
    Ok(models::found(calls).await)
}

pub(crate) async fn add_model(
    calls: &Calls,
    AddModel { draft }: AddModel,
    surface: &Surface,
) -> Result<ModelView, HostError> {
    models::add(calls, draft, surface).await
}

pub(crate) async fn change_model(
    calls: &Calls,
    ChangeModel { model, draft }: ChangeModel,
    surface: &Surface,
) -> Result<ModelView, HostError> {
    models::change(calls, &model, draft, surface).await
}

pub(crate) async fn test_model(
    calls: &Calls,
    TestModel { model }: TestModel,
    _: &Surface,
) -> Result<ModelCheck, HostError> {
    models::test(calls, &model).await
}

pub(crate) async fn remove_model(
    calls: &Calls,
    RemoveModel { model }: RemoveModel,
    surface: &Surface,
) -> Result<(), HostError> {
    models::remove(calls, &model, surface).await
}
