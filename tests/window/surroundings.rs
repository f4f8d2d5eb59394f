//! A desktop around the windows: something that shows notifications, and a tray. Both remember what
//! they were told, and are clicked on.
//!
//! Always true here: of what is told, only what comes of the process that a test asks about counts;
//! others use the same desktop.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Value};
use zbus::{Connection, interface};

const WAIT_TIMEOUT: Duration = Duration::from_secs(60);
const NOTIFICATIONS: &str = "/org/freedesktop/Notifications";
const MENU: &str = "com.canonical.dbusmenu";

/// What a program told of on the desktop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    /// The number under which it is shown.
    pub id: u32,
    /// Its title.
    pub title: String,
    /// What it says.
    pub text: String,
    /// Who told of it, as the bus names them.
    program: String,
}

/// The desktop of the session's bus. One at a time.
pub struct Desktop {
    bus: Connection,
    shown: Arc<Mutex<Vec<Notification>>>,
    icons: Arc<Mutex<Vec<(String, String)>>>,
}

struct Notifications {
    shown: Arc<Mutex<Vec<Notification>>>,
    next: u32,
}

#[interface(name = "org.freedesktop.Notifications")]
impl Notifications {
    #[expect(clippy::too_many_arguments, reason = "the standard has so many")]
    fn notify(
        &mut self,
        _program: String,
        _replaces: u32,
        _icon: String,
        title: String,
        text: String,
        _actions: Vec<String>,
        _hints: HashMap<String, OwnedValue>,
        _timeout: i32,
        #[zbus(header)] header: zbus::message::Header<'_>,
    ) -> u32 {
        self.next += 1;
        let program = header.sender().unwrap().to_string();
        self.shown.lock().unwrap().push(Notification {
            id: self.next,
            title,
            text,
            program,
        });
        self.next
    }

    fn close_notification(&self, id: u32) {
        self.shown.lock().unwrap().retain(|shown| shown.id != id);
    }

    fn get_capabilities(&self) -> Vec<String> {
        vec!["body".to_owned(), "actions".to_owned()]
    }

    fn get_server_information(&self) -> (String, String, String, String) {
        (
            "test".to_owned(),
            "test".to_owned(),
            "1".to_owned(),
            "1.2".to_owned(),
        )
    }
}

struct Tray {
    icons: Arc<Mutex<Vec<(String, String)>>>,
}

#[interface(name = "org.kde.StatusNotifierWatcher")]
impl Tray {
    fn register_status_notifier_item(
        &self,
        path: String,
        #[zbus(header)] header: zbus::message::Header<'_>,
    ) {
        let program = header.sender().unwrap().to_string();
        self.icons.lock().unwrap().push((program, path));
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }
}

impl Desktop {
    /// Puts one around the windows that are opened from now on.
    pub async fn new() -> Self {
        let (shown, icons) = (Arc::default(), Arc::default());
        let bus = zbus::connection::Builder::session()
            .and_then(|bus| {
                bus.serve_at(
                    NOTIFICATIONS,
                    Notifications {
                        shown: Arc::clone(&shown),
                        next: 0,
                    },
                )
            })
            .and_then(|bus| {
                bus.serve_at(
                    "/StatusNotifierWatcher",
                    Tray {
                        icons: Arc::clone(&icons),
                    },
                )
            })
            .and_then(|bus| bus.name("org.freedesktop.Notifications"))
            .and_then(|bus| bus.name("org.kde.StatusNotifierWatcher"))
            .unwrap();
        Self {
            bus: bus
                .build()
                .await
                .expect("another desktop is there: run `cargo xtask test`"),
            shown,
            icons,
        }
    }

    /// Waits until exactly these titles of a process are shown, and says what is shown.
    pub async fn shows(&self, process: u32, titles: &[&str]) -> Vec<Notification> {
        let shows = || async {
            let mut shown = Vec::new();
            let all = self.shown.lock().unwrap().clone();
            for notification in all {
                if self.process_of(&notification.program).await == Some(process) {
                    shown.push(notification);
                }
            }
            (shown
                .iter()
                .map(|notification| notification.title.as_str())
                .eq(titles.iter().copied()))
            .then_some(shown)
        };
        until(&format!("notifications {titles:?}"), shows).await
    }

    /// Clicks on a notification. That closes it, too.
    pub async fn click(&self, notification: &Notification) {
        self.shown
            .lock()
            .unwrap()
            .retain(|shown| shown.id != notification.id);
        let signal = ("org.freedesktop.Notifications", "ActionInvoked");
        self.bus
            .emit_signal(
                None::<&str>,
                NOTIFICATIONS,
                signal.0,
                signal.1,
                &(notification.id, "default"),
            )
            .await
            .unwrap();
    }

    /// Waits until the menu of a process's icon in the tray says this.
    pub async fn tray_says(&self, process: u32, words: &str) {
        until(&format!("{words:?} in the tray"), || async {
            self.menu(process)
                .await?
                .into_iter()
                .find(|(_, label)| label == words)
        })
        .await;
    }

    /// Chooses from the menu of a process's icon in the tray.
    pub async fn choose(&self, process: u32, words: &str) {
        let find = || async {
            self.menu(process)
                .await?
                .into_iter()
                .find(|(_, label)| label == words)
        };
        let (item, _) = until(&format!("{words:?} in the tray"), find).await;
        let (program, menu) = self.menu_of_icon(process).await.unwrap();
        let clicked = (item, "clicked", Value::from(0_i32), 0_u32);
        self.bus
            .call_method(
                Some(program.as_str()),
                menu.as_str(),
                Some(MENU),
                "Event",
                &clicked,
            )
            .await
            .unwrap();
    }

    /// The items that the icon's menu has: their numbers and what they say.
    async fn menu(&self, process: u32) -> Option<Vec<(i32, String)>> {
        type Item = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);
        let (program, menu) = self.menu_of_icon(process).await?;
        let asked = (0_i32, -1_i32, Vec::<String>::new());
        let answer = self
            .bus
            .call_method(
                Some(program.as_str()),
                menu.as_str(),
                Some(MENU),
                "GetLayout",
                &asked,
            )
            .await
            .ok()?;
        let (_, (_, _, items)): (u32, Item) = answer.body().deserialize().ok()?;
        let items = items
            .into_iter()
            .filter_map(|item| Item::try_from(item).ok());
        let label = |about: &HashMap<String, OwnedValue>| {
            String::try_from(about.get("label")?.clone()).ok()
        };
        Some(
            items
                .filter_map(|(id, about, _)| Some((id, label(&about)?)))
                .collect(),
        )
    }

    async fn process_of(&self, program: &str) -> Option<u32> {
        let bus = ("org.freedesktop.DBus", "/org/freedesktop/DBus");
        let answer = self
            .bus
            .call_method(
                Some(bus.0),
                bus.1,
                Some(bus.0),
                "GetConnectionUnixProcessID",
                &program,
            )
            .await
            .ok()?;
        answer.body().deserialize().ok()
    }

    async fn menu_of_icon(&self, process: u32) -> Option<(String, OwnedObjectPath)> {
        let icons = self.icons.lock().unwrap().clone();
        let mut found = None;
        for (program, path) in icons {
            if self.process_of(&program).await == Some(process) {
                found = Some((program, path));
            }
        }
        let (program, path) = found?;
        let asked = ("org.kde.StatusNotifierItem", "Menu");
        let properties = Some("org.freedesktop.DBus.Properties");
        let answer = self
            .bus
            .call_method(Some(program.as_str()), path, properties, "Get", &asked)
            .await
            .ok()?;
        let value: OwnedValue = answer.body().deserialize().ok()?;
        Some((program, OwnedObjectPath::try_from(value).ok()?))
    }
}

async fn until<T, F: Future<Output = Option<T>>>(what: &str, mut look: impl FnMut() -> F) -> T {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(begun.elapsed() < WAIT_TIMEOUT, "waited in vain for {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
