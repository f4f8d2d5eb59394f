//! What each request of the contract means: one function of its name, which takes it apart and says
//! what of the host it needs. `api::route!` finds them here; one that is missing does not compile.

mod applications;
mod assistants;
mod calls;
mod clients;
mod conversations;
mod grants;
mod import;
mod log;
mod models;
mod offers;
mod policy;
mod questions;
mod roots;
mod sampling;
mod servers;
mod sign_in;
mod telemetry;
mod tools;
mod workspaces;

pub(crate) use self::applications::*;
pub(crate) use self::assistants::*;
pub(crate) use self::calls::*;
pub(crate) use self::clients::*;
pub(crate) use self::conversations::*;
pub(crate) use self::grants::*;
pub(crate) use self::import::*;
pub(crate) use self::log::*;
pub(crate) use self::models::*;
pub(crate) use self::offers::*;
pub(crate) use self::policy::*;
pub(crate) use self::questions::*;
pub(crate) use self::roots::*;
pub(crate) use self::sampling::*;
pub(crate) use self::servers::*;
pub(crate) use self::sign_in::*;
pub(crate) use self::telemetry::*;
pub(crate) use self::tools::*;
pub(crate) use self::workspaces::*;
