//! `load-passthrough [--by-hand] [--http] SERVER`: serves the tools of one child, made of nothing but
//! the official SDK; what its bare forwarding costs is the floor of a host that is built with it. By
//! hand, what it costs with no SDK at all.
//!
//! Over standard input and output; with `--http` over Streamable HTTP at a port of 127.0.0.1, with
//! answers in JSON. The address is the first line on standard output then.

mod by_hand;

use load::Failure;
use load::programs::command;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleClient, RoleServer, ServerHandler, ServiceExt as _};
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::net::TcpListener;

#[tokio::main]
#[expect(clippy::print_stderr, reason = "a program that people start by hand")]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let served = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--by-hand", "--http", server] => by_hand::over_http(Path::new(server), say).await,
        ["--by-hand", server] => by_hand::over_stdio(Path::new(server)),
        ["--http", server] => over_http(Path::new(server)).await,
        [server] if !server.starts_with('-') => over_stdio(Path::new(server)).await,
        _ => {
            eprintln!("usage: load-passthrough [--by-hand] [--http] SERVER");
            return ExitCode::from(2);
        }
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("load-passthrough: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Forwards to one child.
struct Passthrough {
    child: RunningService<RoleClient, ()>,
    tools: Vec<Tool>,
}

impl Passthrough {
    async fn to(server: &Path) -> Result<Arc<Self>, Failure> {
        let child = ().serve(TokioChildProcess::new(command(server))?).await?;
        let tools = child.list_all_tools().await?;
        Ok(Arc::new(Self { child, tools }))
    }
}

impl ServerHandler for Passthrough {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // What it says about the way here is not about the way on.
        request.meta = None;
        let answer = self.child.call_tool_once(request).await;
        answer.map_err(|problem| ErrorData::internal_error(problem.to_string(), None))
    }
}

async fn over_stdio(server: &Path) -> Result<(), Failure> {
    let passthrough = Passthrough::to(server).await?;
    let serving = passthrough.serve(rmcp::transport::stdio()).await?;
    serving.waiting().await?;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "whoever starts it reads the address")]
fn say(address: String) {
    println!("{address}");
}

async fn over_http(server: &Path) -> Result<(), Failure> {
    use axum::serve::ListenerExt as _;
    let passthrough = Passthrough::to(server).await?;
    let config = StreamableHttpServerConfig::default()
        .with_json_response(true)
        .with_legacy_session_mode(false);
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(passthrough.clone()), sessions, config);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    say(listener.local_addr()?.to_string());
    let listener = listener.tap_io(|stream| {
        // Without it the next answer would wait for word of the one before.
        let _ = stream.set_nodelay(true);
    });
    let routes = axum::Router::new().fallback_service(service);
    axum::serve(listener, routes).await?;
    Ok(())
}
