//! A call that is decided about, and everything that has a say.

use policy::flow::Concern;
use policy::pin::ApprovalStatus;
use policy::{
    CheckedCall, Covered, Decision, Effect, Facts, Grant, GrantOrigin, KnownTool, Pending, Places,
    PolicyDecision, Scope, Setting, Verdict, decide,
};
use protocol::{
    CallId, Caller, ConversationId, Fingerprint, GrantId, QuestionId, ServerId, Timestamp,
    ToolCall, ToolSpec, WorkspaceId,
};
use serde_json::{Map, Value, json};

pub struct Scene {
    pub tool: ToolSpec,
    pub launch: Fingerprint,
    pub on: bool,
    pub standing: ApprovalStatus,
    pub concerns: Vec<Concern>,
    pub grants: Vec<Grant>,
    pub conversation: ConversationId,
    pub workspace: WorkspaceId,
    pub places: Places,
    pub ruling: PolicyDecision,
    pub call: ToolCall,
    pub now: Timestamp,
}

pub fn map(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

/// Nothing is allowed yet; somebody in the window wants to read a file.
pub fn scene() -> Scene {
    let tool = ToolSpec {
        description: Some("Reads a file".into()),
        input_schema: map(
            json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}),
        ),
        ..ToolSpec::named("read")
    };
    let call = ToolCall {
        id: CallId::random(),
        caller: Caller::window(),
        conversation: Caller::window().conversation(),
        by_hand: false,
        server: ServerId::parse("files").unwrap(),
        tool: "read".into(),
        arguments: map(json!({"path": "a.txt"})),
    };
    Scene {
        tool,
        launch: Fingerprint::of(&json!("node files.js")),
        on: true,
        standing: ApprovalStatus::Approved,
        concerns: vec![],
        grants: vec![],
        conversation: ConversationId::random(),
        workspace: WorkspaceId::random(),
        places: Places::default(),
        ruling: PolicyDecision::default(),
        now: Timestamp(7),
        call,
    }
}

impl Scene {
    pub fn allowed(mut self, terms: impl Fn(&Self) -> (Scope, Covered)) -> Self {
        let (scope, arguments) = terms(&self);
        self.grants.push(Grant {
            id: GrantId::from("grant-1"),
            effect: Effect::Allow,
            caller: Caller::window(),
            server: self.call.server.clone(),
            launch_fingerprint: self.launch.clone(),
            tool: self.tool.clone(),
            tool_fingerprint: self.tool.fingerprint(),
            arguments,
            scope,
            workspace: Some(self.workspace.clone()),
            origin: GrantOrigin::Question {
                question: QuestionId::from("question-1"),
            },
            made_at: Timestamp(0),
            used: 1,
            last_used_at: None,
            revoked_at: None,
        });
        self
    }

    pub fn allowed_always(self) -> Self {
        self.allowed(|_| (Scope::Workspace, Covered::Any))
    }

    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    pub fn decide(&self) -> Verdict {
        let tool = KnownTool::new(self.tool.clone());
        let call = CheckedCall::new(self.call.clone(), &tool, &tool.compile_input());
        self.decide_about(call)
    }

    pub fn decide_about(&self, call: CheckedCall) -> Verdict {
        let facts = Facts {
            tool: &KnownTool::new(self.tool.clone()),
            launch_fingerprint: &self.launch,
            standing: &self.standing,
            concerns: &self.concerns,
            switched_on: self.on,
            grants: &self.grants,
            ruling: &self.ruling,
            setting: self.setting(),
        };
        decide(call, facts)
    }

    pub fn setting(&self) -> Setting<'_> {
        Setting {
            conversation: &self.conversation,
            workspace: &self.workspace,
            places: &self.places,
            now: self.now,
        }
    }

    /// The call with the arguments into which an answer changes them, checked.
    pub fn edited(&self, answer: &Decision, tool: &KnownTool) -> Option<CheckedCall> {
        let Decision::Allow {
            arguments: Some(arguments),
            ..
        } = answer
        else {
            return None;
        };
        let call = self.pending().edited(arguments, Clone::clone).unwrap();
        Some(CheckedCall::new(call, tool, &tool.compile_input()))
    }

    pub fn pending(&self) -> Pending {
        match self.decide() {
            Verdict::Ask(pending) => *pending,
            other => panic!("not asked: {other:?}"),
        }
    }
}
