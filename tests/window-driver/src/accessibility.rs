//! What a screen reader is told of the windows: the system's accessibility tree (AT-SPI).

use crate::driver::Majordomo;
use std::time::{Duration, Instant};
use zbus::Connection;
use zbus::connection::Builder;
use zbus::zvariant::OwnedObjectPath;

/// Where the tree begins that holds all programs.
const REGISTRY: (&str, &str) = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root");
/// Stands for no thing.
const NOTHING: &str = "/org/a11y/atspi/null";
const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
/// The numbers of states, as AT-SPI has them.
const FOCUSABLE: u32 = 11;
const FOCUSED: u32 = 12;
/// Programs, and the processes that draw their pages, tell of what they show a moment later.
const TELLS_WITHIN: Duration = Duration::from_secs(60);

/// One thing in a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accessible {
    /// What kind of thing it is, by the numbers of AT-SPI (`AtspiRole`).
    pub role: u32,
    /// What it is called.
    pub name: String,
    /// Whether the keyboard can get there.
    pub is_focusable: bool,
    /// Whether the keyboard is there.
    pub is_focused: bool,
}

/// A thing by the name of who tells of it, and its path there.
type At = (String, OwnedObjectPath);

impl Majordomo {
    /// Everything in its windows, in the order in which it is read, as soon as it is what is waited for.
    /// Without the system's accessibility service this panics.
    pub async fn accessible(
        &self,
        what: &str,
        is_there: impl Fn(&[Accessible]) -> bool,
    ) -> Vec<Accessible> {
        let bus = bus().await;
        let begun = Instant::now();
        loop {
            let all = match program(&bus, self.process()).await {
                Some(program) => read(&bus, program).await,
                None => Vec::new(),
            };
            if is_there(&all) {
                return all;
            }
            assert!(
                begun.elapsed() < TELLS_WITHIN,
                "nobody hears of {what}, but of: {all:#?}"
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// The bus of its own on which programs tell of themselves.
async fn bus() -> Connection {
    let session = Connection::session().await.unwrap();
    let address = session
        .call_method(
            Some("org.a11y.Bus"),
            "/org/a11y/bus",
            Some("org.a11y.Bus"),
            "GetAddress",
            &(),
        )
        .await
        .expect("there is no accessibility service: run `cargo xtask test`");
    let address: String = address.body().deserialize().unwrap();
    let bus = Builder::address(address.as_str()).unwrap();
    bus.build().await.unwrap()
}

/// Where a process begins to tell of itself.
async fn program(bus: &Connection, process: u32) -> Option<At> {
    let (name, path) = REGISTRY;
    let registry = (name.to_owned(), OwnedObjectPath::try_from(path).unwrap());
    for program in children(bus, &registry).await {
        let id = bus
            .call_method(
                Some("org.freedesktop.DBus"),
                "/org/freedesktop/DBus",
                Some("org.freedesktop.DBus"),
                "GetConnectionUnixProcessID",
                &program.0,
            )
            .await;
        // One that has ended meanwhile is nobody's.
        if id.is_ok_and(|id| id.body().deserialize::<u32>().unwrap() == process) {
            return Some(program);
        }
    }
    None
}

/// A thing and all within it. What goes away while it is read is left out.
async fn read(bus: &Connection, root: At) -> Vec<Accessible> {
    let (mut all, mut open) = (Vec::new(), vec![root]);
    while let Some(next) = open.pop() {
        if let Some(one) = about(bus, &next).await {
            all.push(one);
        }
        let mut inner = children(bus, &next).await;
        inner.reverse();
        open.extend(inner);
    }
    all
}

async fn about(bus: &Connection, (owner, path): &At) -> Option<Accessible> {
    let ask = |method: &'static str| {
        let (owner, path) = (owner.as_str(), path.as_str());
        bus.call_method(Some(owner), path, Some(ACCESSIBLE), method, &())
    };
    let role = ask("GetRole").await.ok()?.body().deserialize().ok()?;
    let states: Vec<u32> = ask("GetState").await.ok()?.body().deserialize().ok()?;
    let has = |state: u32| {
        let word = states.get((state / 32) as usize);
        word.is_some_and(|word| word & (1 << (state % 32)) != 0)
    };
    let name = bus
        .call_method(
            Some(owner.as_str()),
            path.as_str(),
            Some("org.freedesktop.DBus.Properties"),
            "Get",
            &(ACCESSIBLE, "Name"),
        )
        .await
        .ok()?;
    let name: zbus::zvariant::OwnedValue = name.body().deserialize().ok()?;
    Some(Accessible {
        role,
        name: String::try_from(name).ok()?,
        is_focusable: has(FOCUSABLE),
        is_focused: has(FOCUSED),
    })
}

async fn children(bus: &Connection, (owner, path): &At) -> Vec<At> {
    let (owner, path) = (owner.as_str(), path.as_str());
    let all = bus
        .call_method(Some(owner), path, Some(ACCESSIBLE), "GetChildren", &())
        .await;
    let all: Vec<At> = all
        .ok()
        .and_then(|all| all.body().deserialize().ok())
        .unwrap_or_default();
    if !all.is_empty() {
        return all;
    }
    // A page is drawn by a process of its own, which GTK names only where it is asked for by number.
    let first = bus
        .call_method(Some(owner), path, Some(ACCESSIBLE), "GetChildAtIndex", &0)
        .await;
    let first = first.ok().and_then(|first| first.body().deserialize().ok());
    let is_one = |(_, path): &At| path.as_str() != NOTHING;
    first.into_iter().filter(is_one).collect()
}
