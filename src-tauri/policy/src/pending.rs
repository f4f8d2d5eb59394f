//! A call that waits for a person, and what an answer makes of it.
//!
//! Always true here: a permission comes of a person's yes to exactly what would run, in the
//! workspace in which it was asked.

use crate::flow::Concern;
use crate::permitted::{Permission, PermittedCall};
use crate::remember::{Remember, RememberProblem};
use crate::{
    CheckedCall, Decision, Effect, Grant, GrantOrigin, KnownTool, Question, QuestionTime, Reason,
    Refusal, Setting, Shown, Subject, ToolFlags, options_for, put_back,
};
use protocol::{
    Fingerprint, GrantId, QuestionId, Timestamp, ToolCall, ToolName, ToolSpec, WorkspaceId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A call that waits for a person. Only [`Pending::answer`] makes a permission out of it.
///
/// It can be written down, since a question outlives the application; whoever reads it back must
/// know that nobody else wrote it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    pub(crate) call: ToolCall,
    pub(crate) tool: ToolSpec,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) launch: Fingerprint,
    pub(crate) reason: Reason,
    pub(crate) concerns: Vec<Concern>,
    pub(crate) mark: ToolFlags,
    pub(crate) workspace: WorkspaceId,
}

impl Pending {
    /// The call that waits, as it would be sent.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// The tool as it was when the call was decided.
    pub fn tool(&self) -> &ToolSpec {
        &self.tool
    }

    /// Why a person is asked.
    pub fn reason(&self) -> &Reason {
        &self.reason
    }

    /// What speaks against the call. A "yes" settles it.
    pub fn concerns(&self) -> &[Concern] {
        &self.concerns
    }

    /// The same, for another reason.
    #[must_use]
    pub fn because(mut self, reason: Reason) -> Self {
        self.reason = reason;
        self
    }

    /// The same, of a tool about which a person has said something.
    #[must_use]
    pub fn marked(mut self, mark: ToolFlags) -> Self {
        self.mark = mark;
        self
    }

    /// The workspace in which it was decided. What is answered holds there.
    pub fn workspace(&self) -> &WorkspaceId {
        &self.workspace
    }

    /// Whether a yes to any arguments is remembered only with an end.
    pub fn must_end(&self) -> bool {
        self.mark.consequential || !self.concerns.is_empty()
    }

    /// The question for a person. Values of held secrets are covered in all of `shown`.
    pub fn question(&self, shown: Shown, now: Timestamp, time: QuestionTime) -> Question {
        let options = options_for(&self.call.arguments, &shown.arguments, &shown.touches);
        let subject = Subject::Call {
            call: self.call.id.clone(),
            caller: self.call.caller.clone(),
            conversation: Some(self.call.conversation.clone()),
            tool: self.tool.clone(),
            arguments: shown.arguments,
            reason: self.reason.clone(),
            findings: shown.findings,
            concerns: shown.concerns,
            sources: shown.sources,
            touches: shown.touches,
            last_time: shown.last_time,
            options,
            consequential: self.mark.consequential,
            left_over: false,
        };
        Question::new(Some(self.call.server.clone()), subject, now, time)
    }

    /// Applies a person's answer. An answer for later comes with the grant to remember.
    ///
    /// `tool_now` and `launch_now` are what the catalogue holds at this moment: if either changed
    /// while the person was thinking, what they saw is not what would run, and the answer is no.
    /// The same holds for arguments that the person changed into ones that do not fit the tool's
    /// schema, or in which a covered value was changed, and for an answer that comes while another
    /// workspace is in use. What may not be remembered ([`Pending::check`]) is not. `edited` is the
    /// call with the arguments that the person changed ([`Pending::edited`]), checked. `shown`
    /// covers values of held secrets.
    #[expect(
        clippy::too_many_arguments,
        reason = "each is another thing that has a say about an answer"
    )]
    pub fn answer(
        mut self,
        question: &QuestionId,
        answer: &Decision,
        edited: Option<CheckedCall>,
        tool_now: &KnownTool,
        launch_now: &Fingerprint,
        setting: Setting<'_>,
        shown: impl Fn(&Map<String, Value>) -> Map<String, Value>,
    ) -> DecisionOutcome {
        if *setting.workspace != self.workspace {
            return DecisionOutcome::no(Refusal::OtherWorkspace);
        }
        let unchanged = self.fingerprint == *tool_now.fingerprint() && self.launch == *launch_now;
        match answer {
            Decision::Allow {
                arguments,
                remember,
            } => {
                if !unchanged {
                    return DecisionOutcome::no(Refusal::ChangedWhileAsking);
                }
                if let Some(arguments) = arguments {
                    match self.with_edited(arguments, edited, tool_now, &shown) {
                        Ok(call) => self.call = call,
                        Err(refusal) => return DecisionOutcome::no(refusal),
                    }
                }
                let grant =
                    self.remembered(remember.as_ref(), Effect::Allow, question, setting, shown);
                let grant_id = grant.as_ref().map(|grant| grant.id.clone());
                let permission = Permission::Answer {
                    question: question.clone(),
                    grant: grant_id,
                    changed: arguments.is_some(),
                };
                let permitted = PermittedCall::new(self.call, permission, tool_now, self.launch);
                DecisionOutcome {
                    call: Ok(permitted),
                    grant,
                }
            }
            Decision::Deny { reason, remember } => {
                let effect = Effect::Deny {
                    reason: reason.clone(),
                };
                let grant = self.remembered(
                    remember.as_ref().filter(|_| unchanged),
                    effect,
                    question,
                    setting,
                    shown,
                );
                DecisionOutcome {
                    call: Err(Refusal::DeniedByPerson {
                        reason: reason.clone(),
                    }),
                    grant,
                }
            }
            Decision::Form { .. }
            | Decision::OpenUrl
            | Decision::UseModel { .. }
            | Decision::SendReply { .. }
            | Decision::ChangeRule
            | Decision::Decline => DecisionOutcome::no(Refusal::DeniedByPerson { reason: None }),
        }
    }

    /// The call with the arguments as the person changed them, with covered values put back. Whether
    /// they fit the tool's schema is still to be checked.
    pub fn edited(
        &self,
        edited: &Map<String, Value>,
        shown: impl Fn(&Map<String, Value>) -> Map<String, Value>,
    ) -> Result<ToolCall, Refusal> {
        let original = &self.call.arguments;
        let arguments = put_back(edited, original, &shown(original)).map_err(|problem| {
            Refusal::ArgumentsInvalid {
                problems: vec![problem.to_string()],
            }
        })?;
        Ok(ToolCall {
            arguments,
            ..self.call.clone()
        })
    }

    /// The same, if they fit: what was checked must be what the person changed them into.
    fn with_edited(
        &self,
        edited: &Map<String, Value>,
        checked: Option<CheckedCall>,
        tool: &KnownTool,
        shown: impl Fn(&Map<String, Value>) -> Map<String, Value>,
    ) -> Result<ToolCall, Refusal> {
        let call = self.edited(edited, shown)?;
        match checked {
            Some(checked) if *checked.call() == call => checked.fitting(tool),
            _ => Err(Refusal::ChangedWhileAsking),
        }
    }

    /// Why an answer cannot be remembered like this, if so.
    pub fn check(&self, answer: &Decision, now: Timestamp) -> Result<(), RememberProblem> {
        match answer {
            // It is remembered of what would run: of the arguments as the person changed them.
            Decision::Allow {
                arguments,
                remember: Some(remember),
            } => remember.check(
                arguments.as_ref().unwrap_or(&self.call.arguments),
                self.must_end(),
                now,
            ),
            // A no may reach as far as it likes.
            Decision::Deny {
                remember: Some(remember),
                ..
            } => remember.check(&self.call.arguments, false, now),
            _ => Ok(()),
        }
    }

    /// The grant, if it may be remembered and is for more than this call.
    fn remembered(
        &self,
        remember: Option<&Remember>,
        effect: Effect,
        question: &QuestionId,
        setting: Setting<'_>,
        shown: impl Fn(&Map<String, Value>) -> Map<String, Value>,
    ) -> Option<Grant> {
        let must_end = effect == Effect::Allow && self.must_end();
        let remember = remember.filter(|remember| {
            remember
                .check(&self.call.arguments, must_end, setting.now)
                .is_ok()
        })?;
        let (scope, workspace) = remember.lasting.scope(setting);
        let grant = Grant {
            id: grant_number(question, &self.tool.name),
            effect,
            caller: self.call.caller.clone(),
            server: self.call.server.clone(),
            launch_fingerprint: self.launch.clone(),
            tool: self.tool.clone(),
            tool_fingerprint: self.fingerprint.clone(),
            arguments: remember
                .cover
                .covered(&self.call.arguments, &shown(&self.call.arguments)),
            scope,
            workspace,
            origin: GrantOrigin::Question {
                question: question.clone(),
            },
            made_at: setting.now,
            used: 1,
            last_used_at: Some(setting.now),
            revoked_at: None,
        };
        grant.holds(setting.now).then_some(grant)
    }
}

/// The number of the grant that an answer to this question makes for this tool: the same however
/// often the answer is applied.
pub fn grant_number(question: &QuestionId, tool: &ToolName) -> GrantId {
    let fingerprint = Fingerprint::of(&json!([question.as_str(), tool.as_str()]));
    let digits: String = fingerprint.as_str().chars().rev().take(16).collect();
    GrantId::from(format!("grant-{digits}"))
}

/// What an answer makes of a call.
#[derive(Debug)]
pub struct DecisionOutcome {
    /// Whether it runs.
    pub call: Result<PermittedCall, Refusal>,
    /// What is to be remembered.
    pub grant: Option<Grant>,
}

impl DecisionOutcome {
    fn no(refusal: Refusal) -> Self {
        Self {
            call: Err(refusal),
            grant: None,
        }
    }
}
