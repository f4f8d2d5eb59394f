//! The schemas of strangers, compiled when they are first needed, and the checks by them.
//!
//! Always true here:
//! - what takes more than a moment is done beside the tasks of calls, and one such thing at a time:
//!   all strangers' schemas together take one core at most;
//! - of each server one thing at most is in line, so that a server with a thousand checks keeps
//!   another one waiting no longer than one of them takes;
//! - what is quick waits for nobody;
//! - what is compiled is kept within a bound, and of one server no more than its share.

mod compiled;

use compiled::{Compiled, Key, Side};
use policy::{CheckedCall, KnownTool, Schema, SchemaProblem};
use protocol::{ServerId, ToolCall};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::Semaphore;

/// What a look at one list may cost of compiling ([`Schema::price_of_compiling`]). What is left out
/// is looked at when it is used.
const MOST_OF_A_LIST: u64 = 20_000;
/// So much compiling keeps nobody waiting.
const QUICK: u64 = 2_000;

/// The schemas of all servers.
pub struct Schemas {
    compiled: Arc<Mutex<Compiled>>,
    line: Arc<Semaphore>,
    /// By the keys of servers.
    places: Mutex<HashMap<String, Weak<Semaphore>>>,
}

impl Default for Schemas {
    fn default() -> Self {
        Self {
            compiled: Arc::default(),
            line: Arc::new(Semaphore::new(1)),
            places: Mutex::default(),
        }
    }
}

impl Schemas {
    /// Checks the arguments of a call against the input schema of its tool.
    pub async fn check_call(&self, call: ToolCall, tool: &Arc<KnownTool>) -> CheckedCall {
        let Some(schema) = self.schema(&call.server, tool, Side::Input).await else {
            return CheckedCall::unchecked(call, tool);
        };
        let call = match CheckedCall::if_quick(call, tool, &schema) {
            Ok(checked) => return checked,
            Err(call) => *call,
        };
        let (server, of, again) = (call.server.key(), tool.clone(), call.clone());
        let checking = self.in_line(&server, move || CheckedCall::new(call, &of, &schema));
        let checked = checking.await;
        checked.unwrap_or_else(|| CheckedCall::unchecked(again, tool))
    }

    /// Checks structured content against the output schema of the tool; anything fits where the tool
    /// has none. The content comes back.
    pub async fn check_structured(
        &self,
        server: &ServerId,
        tool: &Arc<KnownTool>,
        content: Value,
    ) -> (Value, Result<(), SchemaProblem>) {
        if tool.spec().output_schema.is_none() {
            return (content, Ok(()));
        }
        let Some(schema) = self.schema(server, tool, Side::Output).await else {
            return (content, Err(SchemaProblem::TooLarge));
        };
        self.check(&server.key(), schema, content).await
    }

    /// Checks what a person filled in against the schema of a form.
    pub async fn check_form(
        &self,
        server: Option<&ServerId>,
        schema: &Map<String, Value>,
        content: &Map<String, Value>,
    ) -> Result<(), SchemaProblem> {
        let key = server.map(ServerId::key).unwrap_or_default();
        let written = schema.clone();
        let compiling = self.compile(&key, schema, move || Schema::compile(&written));
        let Some(schema) = compiling.await else {
            return Err(SchemaProblem::TooLarge);
        };
        let content = Value::Object(content.clone());
        self.check(&key, Arc::new(schema), content).await.1
    }

    /// Why nothing can be checked against the input schemas of these tools of one server, where that
    /// is known. Of those that nobody has used yet a bounded part is looked at.
    pub async fn problems(
        &self,
        server: &ServerId,
        tools: Vec<Arc<KnownTool>>,
    ) -> Vec<Option<String>> {
        let (key, kept) = (server.key(), self.compiled.clone());
        let count = tools.len();
        let known: Option<Vec<_>> = {
            let mut kept = self.compiled();
            let mut of = |tool| kept.get(&Key::new(&key, tool, Side::Input));
            tools.iter().map(|tool| of(tool)).collect()
        };
        if let Some(known) = known {
            return known.iter().map(problem).collect();
        }
        let server = key.clone();
        let look = move || {
            let mut left = MOST_OF_A_LIST;
            tools
                .iter()
                .map(|tool| {
                    let key = Key::new(&server, tool, Side::Input);
                    let known = lock(&kept).get(&key);
                    let schema = known.or_else(|| {
                        let price = Schema::price_of_compiling(&tool.spec().input_schema);
                        left = left.checked_sub(price)?;
                        let schema = Arc::new(tool.compile_input());
                        lock(&kept).keep(key, schema.clone());
                        Some(schema)
                    });
                    schema.as_ref().and_then(problem)
                })
                .collect()
        };
        let looked = self.in_line(&key, look).await;
        looked.unwrap_or_else(|| vec![None; count])
    }

    fn compiled(&self) -> MutexGuard<'_, Compiled> {
        lock(&self.compiled)
    }

    /// A schema of a tool, compiled. None if the computer goes down.
    async fn schema(
        &self,
        server: &ServerId,
        tool: &Arc<KnownTool>,
        side: Side,
    ) -> Option<Arc<Schema>> {
        let key = Key::new(&server.as_key(), tool, side);
        if let Some(schema) = self.compiled().get(&key) {
            return Some(schema);
        }
        let spec = tool.spec();
        let written = match side {
            Side::Input => &spec.input_schema,
            Side::Output => spec.output_schema.as_ref()?,
        };
        let (kept, tool, server) = (self.compiled.clone(), tool.clone(), server.key());
        let compiling = self.compile(&server, written, move || {
            // Somebody else may have needed it meanwhile.
            let known = lock(&kept).get(&key);
            known.or_else(|| {
                let schema = match side {
                    Side::Input => tool.compile_input(),
                    Side::Output => tool.compile_output()?,
                };
                let schema = Arc::new(schema);
                lock(&kept).keep(key, schema.clone());
                Some(schema)
            })
        });
        compiling.await.flatten()
    }

    async fn compile<T: Send + 'static>(
        &self,
        server: &str,
        written: &Map<String, Value>,
        compile: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        if Schema::price_of_compiling(written) <= QUICK {
            return tokio::task::spawn_blocking(compile).await.ok();
        }
        self.in_line(server, compile).await
    }

    async fn check(
        &self,
        server: &str,
        schema: Arc<Schema>,
        value: Value,
    ) -> (Value, Result<(), SchemaProblem>) {
        if schema.is_quick(&value) {
            let fits = schema.check(&value);
            return (value, fits);
        }
        let value = Arc::new(value);
        let checked = value.clone();
        let checking = self.in_line(server, move || schema.check(&checked));
        let fits = checking.await.unwrap_or(Err(SchemaProblem::TooLarge));
        let value = Arc::try_unwrap(value).unwrap_or_else(|value| Value::clone(&value));
        (value, fits)
    }

    /// Does something that takes a while when it is its turn. None if it could not be done.
    async fn in_line<T: Send + 'static>(
        &self,
        server: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let place = self.place(server).acquire_owned().await.ok()?;
        let turn = self.line.clone().acquire_owned().await.ok()?;
        let working = tokio::task::spawn_blocking(move || {
            // Held to the end, even if nobody waits for it any more.
            let _held = (place, turn);
            work()
        });
        working.await.ok()
    }

    /// Where the things of one server wait until one of them may get in line.
    fn place(&self, server: &str) -> Arc<Semaphore> {
        let mut places = lock(&self.places);
        if let Some(place) = places.get(server).and_then(Weak::upgrade) {
            return place;
        }
        places.retain(|_, place| place.strong_count() > 0);
        let place = Arc::new(Semaphore::new(1));
        places.insert(server.to_owned(), Arc::downgrade(&place));
        place
    }
}

fn problem(schema: &Arc<Schema>) -> Option<String> {
    schema.problem().map(str::to_owned)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::sync::mpsc;

    fn tool(name: &str, schema: Value) -> Arc<KnownTool> {
        Arc::new(KnownTool::new(protocol::ToolSpec {
            name: name.into(),
            title: None,
            description: None,
            input_schema: schema.as_object().cloned().unwrap(),
            output_schema: Some(schema.as_object().cloned().unwrap()),
            annotations: None,
            meta: None,
            extra: Map::new(),
        }))
    }

    fn server(name: &str) -> ServerId {
        ServerId::parse(name).unwrap()
    }

    #[tokio::test]
    async fn a_server_with_many_checks_lets_others_in_after_each_of_them() {
        let schemas = Schemas::default();
        // Noted while it is somebody's turn: who hears of its end first is another matter.
        let order = Arc::new(Mutex::new(Vec::new()));
        let note = |server: &'static str| {
            let order = order.clone();
            move || lock(&order).push(server)
        };
        let (start, started) = mpsc::channel::<()>();
        let first = schemas.in_line("greedy", move || started.recv().is_ok());
        let others =
            futures::future::join_all((0..10).map(|_| schemas.in_line("greedy", note("greedy"))));
        let calm = async {
            // By now all the others wait.
            tokio::task::yield_now().await;
            start.send(()).unwrap();
            schemas.in_line("calm", note("calm")).await;
        };
        tokio::join!(first, others, calm);
        let order = lock(&order);
        let calm = order.iter().position(|server| *server == "calm");
        assert!(calm.is_some_and(|at| at <= 2), "{order:?}");
    }

    #[tokio::test]
    async fn what_is_quick_waits_for_nobody() {
        let schemas = Arc::new(Schemas::default());
        let (go_on, waits) = mpsc::channel::<()>();
        let busy = schemas.clone();
        let long = tokio::spawn(async move { busy.in_line("busy", move || waits.recv()).await });
        while schemas.line.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let tool = tool("small", json!({ "required": ["a"] }));
        let (calm, content) = (server("calm"), json!({ "a": 1 }));
        let checking = schemas.check_structured(&calm, &tool, content.clone());
        assert_eq!(checking.await, (content, Ok(())));
        drop(go_on);
        assert!(long.await.is_ok());
    }

    #[tokio::test]
    async fn a_schema_is_compiled_once_and_known_by_its_definition() {
        let schemas = Schemas::default();
        let (one, other) = (
            tool("a", json!({ "required": ["a"] })),
            tool("a", json!({ "required": ["b"] })),
        );
        let first = schemas.schema(&server("x"), &one, Side::Input).await;
        let again = schemas.schema(&server("x"), &one, Side::Input).await;
        assert!(Arc::ptr_eq(&first.unwrap(), &again.unwrap()));
        let server = server("x");
        let checking = schemas.check_structured(&server, &other, json!({ "a": 1 }));
        assert!(checking.await.1.is_err());
    }
}
