//! Which events of the disk say that something has changed.

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind};

/// Whether something may have changed. That a program opened or read a file is told, too, and is
/// nothing that anybody waits for; what could not be told may be a change.
pub(crate) fn is_change(event: &notify::Result<Event>) -> bool {
    !matches!(
        event,
        Ok(Event { kind: EventKind::Access(access), .. })
            if *access != AccessKind::Close(AccessMode::Write)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{CreateKind, ModifyKind};

    #[test]
    fn a_file_that_is_only_read_has_not_changed() {
        let told = |kind| is_change(&Ok(Event::new(kind)));
        for reading in [
            AccessKind::Open(AccessMode::Any),
            AccessKind::Read,
            AccessKind::Close(AccessMode::Read),
        ] {
            assert!(!told(EventKind::Access(reading)), "{reading:?}");
        }
        for change in [
            EventKind::Create(CreateKind::File),
            EventKind::Modify(ModifyKind::Any),
            EventKind::Access(AccessKind::Close(AccessMode::Write)),
        ] {
            assert!(told(change), "{change:?}");
        }
        assert!(is_change(&Err(notify::Error::generic("too many"))));
    }
}
