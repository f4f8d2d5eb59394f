//! Connections of other applications that have shown their token.
//!
//! Always true here: of one application there are at most [`MOST`], so that answers that it does not
//! take are bounded, too. One too many is turned away and keeps no other application out.

use protocol::CallerId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many one application may have: for each request that it may make at a time one, and as many
/// that rest.
pub(crate) const MOST: usize = 128;

/// The place of a connection among those of its application, until its end.
pub(crate) type Place = OwnedSemaphorePermit;

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Guests(Mutex<HashMap<CallerId, Arc<Semaphore>>>);

impl Guests {
    /// A place for one more connection, if there is any.
    pub(crate) fn enter(&self, client: &CallerId) -> Option<Place> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let places = all
            .entry(client.clone())
            .or_insert_with(|| Arc::new(Semaphore::new(MOST)));
        Arc::clone(places).try_acquire_owned().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_application_has_so_many_connections_and_takes_no_place_of_another() {
        let guests = Guests::default();
        let [one, other]: [CallerId; 2] = ["one", "other"].map(|id| id.parse().unwrap());
        let mut places: Vec<Place> = (0..MOST).map_while(|_| guests.enter(&one)).collect();
        assert_eq!(places.len(), MOST);
        assert!(guests.enter(&one).is_none());
        assert!(guests.enter(&other).is_some());
        places.pop();
        assert!(guests.enter(&one).is_some());
    }
}
