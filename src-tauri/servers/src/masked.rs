//! What a server lists beside tools, with values of held secrets covered.
//!
//! Always true here:
//! - every text of an entry is covered, or the entry is left out: what something is read or got by
//!   cannot be covered;
//! - an argument's name is covered like that of a tool's argument.

use inspect::Masker;
use protocol::{PromptArgument, PromptSpec, ResourceSpec, TemplateSpec};

/// The resources whose addresses and names hold no secret.
pub fn resources(
    resources: Vec<ResourceSpec>,
    masker: &Masker,
) -> impl Iterator<Item = ResourceSpec> {
    resources.into_iter().filter_map(move |mut resource| {
        let ResourceSpec {
            uri,
            name,
            title,
            description,
            mime_type,
            size: _,
            extra,
        } = &mut resource;
        cover(masker, [title, description, mime_type]);
        masker.mask_map(extra);
        is_open(masker, [uri, name]).then_some(resource)
    })
}

/// The templates whose addresses and names hold no secret.
pub fn templates(
    templates: Vec<TemplateSpec>,
    masker: &Masker,
) -> impl Iterator<Item = TemplateSpec> {
    templates.into_iter().filter_map(move |mut template| {
        let TemplateSpec {
            uri_template,
            name,
            title,
            description,
            mime_type,
            extra,
        } = &mut template;
        cover(masker, [title, description, mime_type]);
        masker.mask_map(extra);
        is_open(masker, [uri_template, name]).then_some(template)
    })
}

/// The prompts whose names hold no secret.
pub fn prompts(prompts: Vec<PromptSpec>, masker: &Masker) -> impl Iterator<Item = PromptSpec> {
    prompts.into_iter().filter_map(move |mut prompt| {
        let PromptSpec {
            name,
            title,
            description,
            arguments,
            extra,
        } = &mut prompt;
        cover(masker, [title, description]);
        for argument in arguments {
            let PromptArgument {
                name,
                title,
                description,
                required: _,
                extra,
            } = argument;
            masker.mask_text(name);
            masker.mask_map(extra);
            cover(masker, [title, description]);
        }
        masker.mask_map(extra);
        is_open(masker, [name]).then_some(prompt)
    })
}

fn cover<const N: usize>(masker: &Masker, texts: [&mut Option<String>; N]) {
    for text in texts.into_iter().flatten() {
        masker.mask_text(text);
    }
}

fn is_open<const N: usize>(masker: &Masker, names: [&mut String; N]) -> bool {
    names.into_iter().all(|name| masker.mask(name).is_none())
}
