//! The newest of many things that a stranger makes: bounded in number and in bytes, and within what
//! may be kept of strangers in all.

use crate::{Budget, Reserved};
use std::collections::VecDeque;

/// How much memory something takes.
pub trait Weigh {
    /// About so many bytes, with all that it holds.
    fn weigh(&self) -> usize;
}

impl Weigh for String {
    fn weigh(&self) -> usize {
        size_of::<Self>() + self.len()
    }
}

/// The newest things, oldest first.
#[derive(Debug)]
pub struct Ring<T> {
    newest: VecDeque<(T, Reserved)>,
    most: usize,
    most_bytes: usize,
    bytes: usize,
    dropped: u64,
    budget: Budget,
}

impl<T: Weigh> Ring<T> {
    /// An empty one, for `most` things of together `most_bytes` bytes, out of `budget`.
    pub fn new(most: usize, most_bytes: usize, budget: Budget) -> Self {
        Self {
            newest: VecDeque::new(),
            most,
            most_bytes,
            bytes: 0,
            dropped: 0,
            budget,
        }
    }

    /// Keeps one more, and lets go of the oldest until there is room. What has no room at all is not
    /// kept, and counts as dropped.
    pub fn push(&mut self, item: T) {
        let bytes = item.weigh();
        while !self.newest.is_empty()
            && (self.newest.len() >= self.most || self.bytes + bytes > self.most_bytes)
        {
            self.drop_oldest();
        }
        match self.room(bytes) {
            Some(reserved) => {
                self.bytes += bytes;
                self.newest.push_back((item, reserved));
            }
            None => self.dropped += 1,
        }
    }

    /// Room for one more, in the place of as many of the oldest as it takes.
    fn room(&mut self, bytes: usize) -> Option<Reserved> {
        if self.most == 0 || bytes > self.most_bytes {
            return None;
        }
        loop {
            let reserved = self.budget.reserve(bytes);
            if reserved.is_some() || !self.drop_oldest() {
                return reserved;
            }
        }
    }

    /// False if there was none.
    fn drop_oldest(&mut self) -> bool {
        let Some((_, reserved)) = self.newest.pop_front() else {
            return false;
        };
        self.bytes -= reserved.bytes();
        self.dropped += 1;
        true
    }

    /// What is kept, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        self.newest.iter().map(|(item, _)| item)
    }

    /// One of them, counted from the oldest.
    pub fn get(&self, index: usize) -> Option<&T> {
        self.newest.get(index).map(|(item, _)| item)
    }

    /// How many are kept.
    pub fn len(&self) -> usize {
        self.newest.len()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.newest.is_empty()
    }

    /// How many are not kept any more.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Lets go of those that do not fit.
    pub fn retain(&mut self, mut fits: impl FnMut(&T) -> bool) {
        self.newest.retain(|(item, _)| fits(item));
        self.bytes = self.newest.iter().map(|(_, held)| held.bytes()).sum();
    }

    /// Lets go of all of them.
    pub fn clear(&mut self) {
        self.newest.clear();
        self.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kept(ring: &Ring<String>) -> Vec<&str> {
        ring.iter().map(String::as_str).collect()
    }

    #[test]
    fn the_oldest_goes_when_there_are_too_many_or_too_much() {
        let one = "a".to_owned().weigh();
        let mut ring = Ring::new(3, 3 * one, Budget::new(usize::MAX));
        for name in ["a", "b", "c", "d"] {
            ring.push(name.to_owned());
        }
        assert_eq!((kept(&ring), ring.dropped()), (vec!["b", "c", "d"], 1));
        ring.push("ef".to_owned());
        assert_eq!((kept(&ring), ring.dropped()), (vec!["d", "ef"], 3));
        ring.push("x".repeat(3 * one));
        assert_eq!((kept(&ring), ring.dropped()), (vec![], 6));
    }

    #[test]
    fn what_is_kept_elsewhere_of_the_same_budget_leaves_less_room() {
        let one = "a".to_owned().weigh();
        let budget = Budget::new(2 * one);
        let mut ring = Ring::new(10, usize::MAX, budget.clone());
        let elsewhere = budget.reserve(one);
        ring.push("a".to_owned());
        ring.push("b".to_owned());
        assert_eq!(kept(&ring), ["b"]);
        drop(elsewhere);
        ring.push("c".to_owned());
        assert_eq!(kept(&ring), ["b", "c"]);
        drop(ring);
        assert_eq!(budget.used(), 0);
    }

    proptest! {
        #[test]
        fn it_never_holds_more_than_its_bounds_and_keeps_the_newest(
            sizes in proptest::collection::vec(0_usize..200, 0..60), most in 0_usize..8, bytes in 0_usize..500,
        ) {
            let budget = Budget::new(bytes / 2 + 100);
            let mut ring = Ring::new(most, bytes, budget.clone());
            for (number, size) in sizes.iter().enumerate() {
                ring.push(format!("{number:0>size$}"));
                let weight: usize = ring.iter().map(Weigh::weigh).sum();
                prop_assert!(ring.len() <= most && weight <= bytes);
                prop_assert_eq!(weight, budget.used());
                prop_assert_eq!(ring.dropped() as usize + ring.len(), number + 1);
                for (back, item) in ring.iter().rev().enumerate() {
                    prop_assert_eq!(item.parse::<usize>().unwrap(), number - back);
                }
            }
        }
    }
}
