//! Guards the rooms in the middle: no ring of modules and no struct that holds everything grows in
//! them again.
//!
//! A module is a file or folder right below a crate's `src`. A path counts where it leads, however
//! it is written: `crate::Servers` leads to the module whose `Servers` the crate shows.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, Fields, File, Item, ItemMod, ItemUse, Macro, Meta, UseTree};

/// The rooms that are guarded.
const ROOMS: [&str; 3] = ["servers", "calls", "host"];
/// So many modules may know each other in a circle.
const MOST_IN_A_CIRCLE: usize = 3;
/// So many fields may a struct have.
const MOST_FIELDS: usize = 12;

/// A path from the root of a crate, such as `["registry", "Registry"]`.
type Way = Vec<String>;
/// Which modules each module knows.
type Knows = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_circle_in_a_room_has_more_than_three_modules() {
    for room in ROOMS {
        let circles = circles(&knows(&sources(room)));
        let large: Vec<_> = circles
            .iter()
            .filter(|circle| circle.len() > MOST_IN_A_CIRCLE)
            .collect();
        assert!(
            large.is_empty(),
            "in {room} these know each other in a circle: {large:?}; return a value, tell an event, or let a room above do it"
        );
    }
}

#[test]
fn no_struct_in_a_room_has_more_than_twelve_fields() {
    for room in ROOMS {
        for (_, file) in sources(room) {
            for (name, fields) in structs(&file.items) {
                assert!(
                    fields <= MOST_FIELDS,
                    "{name} in {room} has {fields} fields; what belongs together is a struct of its own"
                );
            }
        }
    }
}

#[test]
fn the_guard_sees_a_circle_however_it_is_written() {
    let files = [
        ("lib", "mod a; mod b; mod c; mod d; pub use b::B;"),
        ("a", "use crate::B; pub struct A;"),
        ("b", "use super::c::C; pub struct B(C);"),
        ("c", "fn c() { crate::d::d() } pub struct C;"),
        ("d", "use crate::{a::{self, A}, d}; pub fn d() {}"),
        (
            "e",
            "#[cfg(test)] mod tests { use crate::a::A; } fn e() { println!(\"{}\", 1) }",
        ),
    ];
    let files = files
        .map(|(module, text)| (vec![module.to_owned()], syn::parse_file(text).unwrap()))
        .into_iter()
        .collect::<Vec<_>>();
    assert_eq!(
        circles(&knows(&files)),
        [BTreeSet::from(["a", "b", "c", "d"].map(str::to_owned))]
    );
}

/// The sources of a room, each with its place below the root of the crate; tests are left out.
fn sources(room: &str) -> Vec<(Way, File)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(room)
        .join("src");
    let mut files = Vec::new();
    below(&src, &mut files);
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let file =
            syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let place = path.strip_prefix(&src).unwrap().with_extension("");
        let place = place
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect::<Way>();
        (place, file)
    };
    let read: Vec<_> = files.into_iter().map(read).collect();
    assert!(read.len() > 5, "{room} is not where it is looked for");
    read
}

fn below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            below(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && stem != "tests"
            && !stem.ends_with("_test")
        {
            files.push(path);
        }
    }
}

fn knows(files: &[(Way, File)]) -> Knows {
    let modules: BTreeSet<String> = files
        .iter()
        .map(|(place, _)| place[0].clone())
        .filter(|module| module != "lib")
        .collect();
    let shown = shown(files, &modules);
    let mut knows = Knows::new();
    for (place, file) in files.iter().filter(|(place, _)| place[0] != "lib") {
        let mut written = Written::default();
        written.visit_file(file);
        let known = written.0.iter().filter_map(|way| {
            let first = rooted(way, place)?.into_iter().next()?;
            let leads_to = modules.get(&first).or_else(|| shown.get(&first))?;
            (*leads_to != place[0]).then(|| leads_to.clone())
        });
        knows.entry(place[0].clone()).or_default().extend(known);
    }
    knows
}

/// What a crate shows at its root, and in which module it stands.
fn shown(files: &[(Way, File)], modules: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut shown = BTreeMap::new();
    let lib = files.iter().filter(|(place, _)| place[0] == "lib");
    for item in lib.flat_map(|(_, file)| &file.items) {
        if let Item::Use(item) = item {
            let mut ways = Vec::new();
            leaves(&item.tree, &mut Vec::new(), &mut ways);
            for mut way in ways {
                if way.first().is_some_and(|first| first == "crate") {
                    way.remove(0);
                }
                if let (Some(module), Some(name)) = (way.first(), way.last())
                    && modules.contains(module)
                {
                    shown.insert(name.clone(), module.clone());
                }
            }
        }
    }
    shown
}

/// All paths that a file writes, outside of its tests.
#[derive(Default)]
struct Written(Vec<Way>);

impl<'ast> Visit<'ast> for Written {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        leaves(&item.tree, &mut Vec::new(), &mut self.0);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path.segments.iter().map(|part| part.ident.to_string());
        self.0.push(names.collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        // What a macro is given is no syntax yet; its words are.
        let given = called.tokens.to_string().replace(' ', "");
        let words = given.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        let paths = words.filter(|word| word.contains("::"));
        self.0
            .extend(paths.map(|path| path.split("::").map(str::to_owned).collect()));
        visit::visit_macro(self, called);
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

fn leaves(tree: &UseTree, way: &mut Way, ways: &mut Vec<Way>) {
    match tree {
        UseTree::Path(path) => {
            way.push(path.ident.to_string());
            leaves(&path.tree, way, ways);
            way.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, way, ways)),
        UseTree::Name(name) => ways.push(with(way, name.ident.to_string())),
        UseTree::Rename(name) => ways.push(with(way, name.ident.to_string())),
        UseTree::Glob(_) => ways.push(way.clone()),
    }
}

fn with(way: &[String], name: String) -> Way {
    way.iter().cloned().chain([name]).collect()
}

/// The way from the root of the crate, if it goes through this crate. `place` is that of the file.
fn rooted(way: &[String], place: &[String]) -> Option<Way> {
    let (first, mut rest) = way.split_first()?;
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "super" => {
            let mut at = place[..place.len() - 1].to_vec();
            while let Some((first, behind)) = rest.split_first()
                && first == "super"
            {
                at.pop();
                rest = behind;
            }
            Some(at.into_iter().chain(rest.iter().cloned()).collect())
        }
        _ => None,
    }
}

fn structs(items: &[Item]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Struct(item) => {
                let fields = match &item.fields {
                    Fields::Named(fields) => fields.named.len(),
                    Fields::Unnamed(fields) => fields.unnamed.len(),
                    Fields::Unit => 0,
                };
                found.push((item.ident.to_string(), fields));
            }
            Item::Mod(item) if !is_for_tests(&item.attrs) => {
                let inside = item.content.as_ref().map(|(_, items)| structs(items));
                found.extend(inside.unwrap_or_default());
            }
            _ => {}
        }
    }
    found
}

/// Modules that know each other, by way of others or straight.
fn circles(knows: &Knows) -> Vec<BTreeSet<String>> {
    let reached: Knows = knows
        .keys()
        .map(|module| (module.clone(), reach(module, knows)))
        .collect();
    let mut circles: Vec<BTreeSet<String>> = Vec::new();
    for (module, others) in &reached {
        let back = |other: &&String| {
            reached
                .get(*other)
                .is_some_and(|back| back.contains(module))
        };
        let circle: BTreeSet<String> = others.iter().filter(back).cloned().collect();
        if circle.len() > 1 && !circles.contains(&circle) {
            circles.push(circle);
        }
    }
    circles
}

fn reach(from: &str, knows: &Knows) -> BTreeSet<String> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![from.to_owned()]);
    while let Some(module) = next.pop() {
        for known in knows.get(&module).into_iter().flatten() {
            if reached.insert(known.clone()) {
                next.push(known.clone());
            }
        }
    }
    reached
}
