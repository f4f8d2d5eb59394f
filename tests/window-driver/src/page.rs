//! What a person sees and does: words, things with a name, and the window of a question.

use fantoccini::elements::{Element, ElementRef};
use fantoccini::key::Key;
use fantoccini::wd::WindowHandle;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use std::future::Future;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const FIND: &str = include_str!("find.js");
const WAIT_TIMEOUT: Duration = Duration::from_secs(150);

/// The windows of one Majordomo. One of them is looked at.
pub struct Page {
    client: Client,
    main: WindowHandle,
    /// The window of the question that was looked at last.
    asked: Mutex<Option<WindowHandle>>,
    clicks: AtomicUsize,
}

impl Page {
    /// The main window, as soon as it has a heading: until then what is in it still moves.
    pub(crate) async fn of(client: Client) -> Self {
        let main = client.window().await.unwrap();
        let page = Self {
            client,
            main,
            asked: Mutex::new(None),
            clicks: AtomicUsize::new(0),
        };
        page.until("a heading", || async {
            page.client.find(Locator::Css("main h1")).await.ok()
        })
        .await;
        page
    }

    /// A newcomer's first steps: the server that comes with the application is looked at and switched on.
    pub async fn takes_the_first_server(&self) {
        self.click("button", "Review the first server").await;
        self.click("button", "Switch on").await;
        self.sees("get_exchange_rate").await;
    }

    /// Goes on to the first question: the tool of the first server is run.
    pub async fn asks_the_first_question(&self) {
        self.takes_the_first_server().await;
        self.click("button", "Run").await;
        self.question().await;
    }

    /// Waits until these words are there.
    pub async fn sees(&self, words: &str) {
        self.until(&format!("the words {words:?}"), || async {
            self.words().await.contains(words).then_some(())
        })
        .await;
    }

    /// Waits until these words are not there any more.
    pub async fn sees_no_more(&self, words: &str) {
        self.until(&format!("no more {words:?}"), || async {
            (!self.words().await.contains(words)).then_some(())
        })
        .await;
    }

    /// Clicks on what has this role and name, as soon as that is possible.
    pub async fn click(&self, role: &str, name: &str) {
        let clicked = || async {
            match self.find(role, name, true).await?.click().await {
                Ok(()) => Some(()),
                // The answer closed its window before the driver had told of the click.
                Err(error) if error.is_no_such_window() => Some(()),
                Err(_) => None,
            }
        };
        self.until(&format!("a {role} {name:?} to click on"), clicked)
            .await;
        self.clicks.fetch_add(1, Ordering::Relaxed);
    }

    /// How often it was clicked so far, in all windows.
    pub fn clicks(&self) -> usize {
        self.clicks.load(Ordering::Relaxed)
    }

    /// Says no to the question, as soon as it takes an answer: none counts in its first moment.
    pub async fn refuse(&self) {
        self.takes_an_answer().await;
        self.click("button", "Don't allow").await;
    }

    /// Waits until the question takes an answer: none counts in the moment after something was
    /// shown beside it.
    pub async fn takes_an_answer(&self) {
        self.until("the question to take an answer", || {
            self.find("button", "Allow once", true)
        })
        .await;
    }

    /// Types into the field of this name, in place of what is there.
    pub async fn fill(&self, name: &str, text: &str) {
        let field = self
            .until(&format!("a field {name:?}"), || {
                self.find("field", name, true)
            })
            .await;
        // Emptied as a person does it: WebKit's own clearing tells the page nothing.
        field
            .send_keys(&format!(
                "{}a{}{}",
                Key::Control + "",
                Key::Null + "",
                Key::Backspace + ""
            ))
            .await
            .unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Chooses from a list.
    pub async fn choose(&self, name: &str, choice: &str) {
        let list = self
            .until(&format!("a list {name:?}"), || {
                self.find("field", name, true)
            })
            .await;
        list.select_by_label(choice).await.unwrap();
    }

    /// Waits until a list has this many choices.
    pub async fn sees_choices(&self, name: &str, count: usize) {
        self.until(&format!("{count} choices of {name:?}"), || async {
            let options = self
                .find("field", name, false)
                .await?
                .find_all(Locator::Css("option"))
                .await
                .ok()?;
            (options.len() == count).then_some(())
        })
        .await;
    }

    /// Approves everything that a new server offers, as soon as it is shown, and goes to its tools.
    pub async fn approve_all(&self) {
        self.click("button", "Approve all").await;
        self.sees("Nothing to review").await;
        self.click("tab", "Tools").await;
    }

    /// The name of what has the focus.
    pub async fn focus(&self) -> String {
        let focus = "return document.activeElement?.textContent ?? ''";
        let name = self.evaluate(focus, Vec::new()).await;
        name.as_str().unwrap_or_default().trim().to_owned()
    }

    /// Looks at the window of a question, as soon as there is one.
    pub async fn question(&self) {
        self.question_but(None).await;
    }

    /// Looks at the window of the question that follows the one looked at last.
    pub async fn next_question(&self) {
        let last = self.asked.lock().unwrap().clone();
        self.question_but(last).await;
    }

    async fn question_but(&self, last: Option<WindowHandle>) {
        let is_one = |window: &WindowHandle| *window != self.main && Some(window) != last.as_ref();
        let asked = self
            .until("the window of a question", || async {
                self.client.windows().await.ok()?.into_iter().find(is_one)
            })
            .await;
        self.client.switch_to_window(asked.clone()).await.unwrap();
        *self.asked.lock().unwrap() = Some(asked);
        self.sees("Denied automatically in").await;
    }

    /// Looks at the main window again, as soon as the question's is gone.
    pub async fn after_the_question(&self) {
        self.until("the question's window to close", || async {
            (self.client.windows().await.ok()?.len() == 1).then_some(())
        })
        .await;
        self.client
            .switch_to_window(self.main.clone())
            .await
            .unwrap();
    }

    /// Whether no question is shown now.
    pub async fn asks_nothing(&self) -> bool {
        self.client.windows().await.unwrap().len() == 1
    }

    /// Looks at the main window while the question's stays where it is.
    pub async fn look_at_main(&self) {
        self.client
            .switch_to_window(self.main.clone())
            .await
            .unwrap();
    }

    /// What a page of the window that is looked at gets when it asks for a command by itself: an
    /// answer, or a refusal.
    pub async fn tries(&self, command: &str, arguments: Value) -> Result<Value, String> {
        let script = "const done = arguments[2]\n\
            window.__TAURI_INTERNALS__.invoke(arguments[0], arguments[1])\n\
            .then((value) => done({ value }), (error) => done({ error: typeof error === 'string' ? error : JSON.stringify(error) }))";
        let mut came = self
            .evaluate_async(script, vec![json!(command), arguments])
            .await;
        came["error"]
            .as_str()
            .map_or(Ok(()), |error| Err(error.to_owned()))?;
        Ok(came["value"].take())
    }

    /// The host's reply to a request of the main window.
    ///
    /// Panics where it is an error.
    pub async fn ask(&self, method: &str, params: Value) -> Value {
        let request = json!({"request": {"method": method, "params": params}});
        let reply = self.tries("rpc", request).await;
        reply.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Goes to a place in the window, such as `conversations`.
    pub async fn go(&self, place: &str) {
        let script = "location.hash = `#/${arguments[0]}`";
        self.evaluate(script, vec![json!(place)]).await;
    }

    /// Waits until nothing is loaded any more.
    pub async fn settles(&self) {
        let is_still = "return document.querySelector('main h1') !== null && document.querySelector('.spinner, [aria-busy=true]') === null";
        self.until("the page to be still", || async {
            (self.evaluate(is_still, Vec::new()).await == true).then_some(())
        })
        .await;
    }

    /// What a script returns.
    pub async fn evaluate(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute(script, arguments).await.unwrap()
    }

    /// What a script passes on to its last argument, within half a minute.
    pub async fn evaluate_async(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute_async(script, arguments).await.unwrap()
    }

    /// From now on, notes what the pages' content security policy forbids.
    pub async fn watch_policy(&self) {
        let watch = "window.forbidden = []; document.addEventListener('securitypolicyviolation', (event) => {\n\
            window.forbidden.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`) })";
        self.evaluate(watch, Vec::new()).await;
    }

    /// What was forbidden since then.
    pub async fn forbidden(&self) -> Value {
        self.evaluate("return window.forbidden", Vec::new()).await
    }

    /// Keeps a picture of the window, for people to look at.
    pub async fn picture(&self, name: &str) {
        // What the page knows already is drawn a frame later.
        let drawn = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(null)))";
        self.evaluate_async(drawn, Vec::new()).await;
        Self::keep(name, &self.client.screenshot().await.unwrap());
    }

    fn keep(name: &str, picture: &[u8]) {
        let folder =
            PathBuf::from(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
                .join("window-screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), picture).unwrap();
    }

    /// All words that are there.
    pub async fn words(&self) -> String {
        let words = self
            .client
            .execute("return document.body?.innerText ?? ''", Vec::new())
            .await;
        // Marks of text direction around strangers' text are not words.
        words
            .ok()
            .as_ref()
            .and_then(Value::as_str)
            .unwrap_or_default()
            .replace(['\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}'], "")
    }

    async fn find(&self, role: &str, name: &str, pressable: bool) -> Option<Element> {
        let found = self
            .client
            .execute(FIND, vec![json!(role), json!(name), json!(pressable)])
            .await
            .ok()?;
        // The one key of a WebDriver element is a constant of the standard.
        let id = found.as_object()?.values().next()?.as_str()?.to_owned();
        Some(Element::from_element_id(
            self.client.clone(),
            ElementRef::from(id),
        ))
    }

    async fn until<T, F: Future<Output = Option<T>>>(
        &self,
        what: &str,
        mut look: impl FnMut() -> F,
    ) -> T {
        let begun = Instant::now();
        loop {
            if let Some(seen) = look().await {
                return seen;
            }
            if begun.elapsed() > WAIT_TIMEOUT {
                if let Ok(picture) = self.client.screenshot().await {
                    Self::keep("failed", &picture);
                }
                panic!(
                    "waited in vain for {what}; there was:\n{}",
                    self.words().await
                );
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}
