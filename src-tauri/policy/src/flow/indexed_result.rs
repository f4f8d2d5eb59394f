//! One result, piece by piece.

use super::concern::Source;
use super::filter::Filter;
use super::item::items;
use super::piece::{Needle, Piece, Pointed};
use super::prompt_injection::{cues, spelled_out};
use super::text::plain;
use protocol::Confidentiality;
use std::sync::Arc;

/// What a result takes beside its pieces, roughly, in bytes.
const OVERHEAD: usize = 1024;

/// Where a result came from and how it is regarded.
#[derive(Debug, Clone)]
pub(crate) struct Regard {
    /// Which tool, in which message.
    pub source: Arc<Source>,
    /// Whether the person pointed at it.
    pub pointed: Pointed,
    /// Who may read it.
    pub confidentiality: Confidentiality,
    /// Whether it was read because a passage that speaks to the model asked for something.
    pub led: bool,
    /// Whether it does nothing but list names.
    pub listing: bool,
}

/// A result.
#[derive(Debug)]
pub(crate) struct IndexedResult {
    /// Where it came from.
    pub regard: Regard,
    /// Its pieces, in order.
    pub pieces: Vec<Piece>,
    filter: Filter,
    size: usize,
}

impl IndexedResult {
    /// Takes a text in. `spoke_of`: whether the person spoke of somebody with this address.
    pub fn of(regard: Regard, text: &str, spoke_of: impl Fn(&str) -> bool) -> Self {
        let texts: Vec<(String, Pointed)> = items(text)
            .into_iter()
            .map(|item| {
                let pointed = if item.author.is_some_and(|author| spoke_of(&author)) {
                    Pointed::At
                } else {
                    regard.pointed
                };
                let mut plain = plain(&spelled_out(&item.text));
                plain.shrink_to_fit();
                (plain, pointed)
            })
            .filter(|(plain, _)| plain != " ")
            .collect();
        let mut filter = Filter::for_length(texts.iter().map(|(plain, _)| plain.len()).sum());
        for (plain, _) in &texts {
            filter.note(plain);
        }
        let cues = cues(&filter);
        let pieces: Vec<Piece> = texts
            .into_iter()
            .map(|(plain, pointed)| Piece::of(plain, pointed, &cues))
            .collect();
        let size = OVERHEAD + filter.size() + pieces.iter().map(Piece::size).sum::<usize>();
        Self {
            regard,
            pieces,
            filter,
            size,
        }
    }

    /// How much room it takes, in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// How long its texts are, in bytes.
    pub fn length(&self) -> usize {
        self.pieces.iter().map(Piece::length).sum()
    }

    /// Notes what it is made of.
    pub fn note_in(&self, filter: &mut Filter) {
        for piece in &self.pieces {
            piece.note_in(filter);
        }
    }

    /// Whether any of it speaks to the model.
    pub fn has_prompt_injection(&self) -> bool {
        self.pieces.iter().any(Piece::has_prompt_injection)
    }

    /// The pieces that hold a value.
    pub fn holding<'a>(&'a self, needle: &'a Needle) -> impl Iterator<Item = &'a Piece> {
        let (words, squeezed) = needle.may_be_in(&self.filter);
        let pieces = if words || squeezed {
            self.pieces.as_slice()
        } else {
            &[]
        };
        pieces.iter().filter(move |piece| {
            (words && piece.holds_words(needle)) || (squeezed && piece.holds_squeezed(needle))
        })
    }
}
