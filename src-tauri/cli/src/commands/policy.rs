//! `majordomoctl policy …`

use super::{absolute, call, or_dash};
use crate::args::{AddRule, EffectWord, FoundWord, HookWord, Policy, TestCall};
use crate::exit::Exit;
use crate::link::Link;
use crate::values;
use crate::word::Word;
use crate::{print, sentences};
use api::{
    DryRun, DryRunResult, DryRunVerdict, EnforcementPointVerdict, LayerView, PolicyView,
    PreviewRule, RemoveRule, ShowPolicy, TestPolicy,
};
use host::{ErrorCode, HostError};
use policy::{
    Condition, EnforcementPoint, FoundWhat, Layer, Question, Rule, RuleDraft, RuleEffect,
    RuleProblem, Subject,
};
use protocol::RuleId;

/// The words in which rules are written. Needs no host.
pub(crate) fn language() -> Exit {
    print::result(host::rule_language().trim_end());
    Exit::Done
}

/// Shows, tries, makes or takes back rules.
pub(crate) async fn run(
    link: &Link,
    command: Policy,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    let view = match command {
        Policy::Show => link.ask(ShowPolicy {}).await?,
        Policy::Language => return Ok(language()),
        Policy::Test(call) => return test(link, call, json).await,
        Policy::Add(rule) => {
            let preview = rule.preview;
            let draft = draft(rule)?;
            let request = PreviewRule {
                draft: draft.clone(),
            };
            let written = link.ask(request).await?;
            if preview {
                if json {
                    print::json(&written)
                } else {
                    print::result(print::lines(&written.text))
                }
                return Ok(Exit::Done);
            }
            // The number is given anew, so the question is known by what the rule says.
            let is_ours = |asked: &Rule| asked.draft == written.draft;
            change(link, api::AddRule { draft }, word, is_ours).await?
        }
        Policy::Remove { id } => {
            let rule = RuleId::from(id);
            let request = RemoveRule { rule: rule.clone() };
            change(link, request, word, |asked| asked.id == rule).await?
        }
    };
    if json {
        print::json(&view)
    } else {
        show(&view)
    }
    Ok(Exit::Done)
}

/// Asks for a change, and a person here about it where it is a question. A question is not what
/// `--yes` answers: a program would wait for somebody whom nobody has told.
async fn change<R: api::Request<Reply = PolicyView>>(
    link: &Link,
    request: R,
    word: Word,
    is_ours: impl Fn(&Rule) -> bool,
) -> Result<PolicyView, HostError> {
    let about_it = |question: &Question| match &question.subject {
        Subject::Rule { rule, .. } => is_ours(rule),
        _ => false,
    };
    let asked = async {
        match word {
            Word::Program => match call::first_question(link, about_it).await {
                Ok(_) => HostError::of(ErrorCode::NotAnApprover, NOT_BY_YES),
                Err(problem) => problem,
            },
            Word::Person | Word::Nobody => call::answer_questions(link, about_it).await,
        }
    };
    tokio::select! {
        view = link.ask(request) => view,
        problem = asked => Err(problem),
    }
}

const NOT_BY_YES: &str = "more can happen afterwards, which is a question to a person, and --yes \
    answers none; nothing was changed. Run this without --yes: it then says how it is answered";

async fn test(link: &Link, call: TestCall, json: bool) -> Result<Exit, HostError> {
    let call = DryRun {
        arguments: values::read(link, &call.server, &call.tool, &call.values).await?,
        caller: call.caller,
        server: call.server,
        tool: call.tool,
        from_strangers: call.from_strangers,
    };
    let said = link.ask(TestPolicy { call }).await?;
    let kept_back = said
        .hooks
        .iter()
        .any(|verdict| verdict.hook == EnforcementPoint::Return && !verdict.forbid.is_empty());
    let refused = matches!(said.verdict, DryRunVerdict::Deny { .. });
    if json {
        print::json(&said)
    } else {
        show_supposition(&said, kept_back)
    }
    Ok(if refused || kept_back {
        Exit::Denied
    } else {
        Exit::Done
    })
}

fn show_supposition(said: &DryRunResult, kept_back: bool) {
    let DryRunResult {
        verdict,
        hooks,
        grant,
    } = said;
    match verdict {
        DryRunVerdict::Allow => {
            print::result("The call would run.");
            print::result(format_args!(
                "When it comes again and again, a person is asked all the same: after {} times within {} seconds.",
                host::REPEATS,
                host::REPEATS_WITHIN.as_secs()
            ));
        }
        DryRunVerdict::Ask { reason } => print::result(format_args!(
            "A person would be asked. {}",
            sentences::reason(reason)
        )),
        DryRunVerdict::Deny { refusal } => print::result(format_args!(
            "The call would not be allowed. {}",
            sentences::refusal(refusal)
        )),
    }
    if kept_back {
        print::result("Its result would be kept back.");
    }
    let rows: Vec<Vec<String>> = hooks
        .iter()
        .map(|verdict| {
            let EnforcementPointVerdict {
                hook,
                forbid,
                ask,
                allow,
            } = verdict;
            vec![
                at(*hook).to_owned(),
                rules(forbid),
                rules(ask),
                rules(allow),
            ]
        })
        .collect();
    print::table(&["AT", "FORBIDDEN BY", "ASKED BY", "ALLOWED BY"], &rows);
    if let Some(grant) = grant {
        print::result(format_args!("Allowed by the approval {}.", grant.id));
    }
}

fn at(hook: EnforcementPoint) -> &'static str {
    match hook {
        EnforcementPoint::Discover => "discover",
        EnforcementPoint::Call => "call",
        EnforcementPoint::Return => "return",
        EnforcementPoint::Egress => "egress",
    }
}

fn rules(rules: &[RuleId]) -> String {
    let rules: Vec<&str> = rules.iter().map(RuleId::as_str).collect();
    if rules.is_empty() {
        "-".to_owned()
    } else {
        rules.join(", ")
    }
}

fn draft(rule: AddRule) -> Result<RuleDraft, HostError> {
    let flags = [
        (rule.consequential, Condition::Consequential),
        (rule.secret, Condition::Secret),
        (rule.from_strangers, Condition::FromStrangers),
        (rule.remote, Condition::Remote),
        (rule.unconfined, Condition::Unconfined),
    ];
    let mut when: Vec<Condition> = flags
        .into_iter()
        .filter_map(|(given, condition)| given.then_some(condition))
        .collect();
    if !rule.to_host.is_empty() {
        when.push(Condition::ToHosts {
            hosts: rule.to_host,
        });
    }
    if let Some(folder) = &rule.in_folder {
        when.push(Condition::InFolder {
            folder: absolute(folder)?,
        });
    }
    when.extend(rule.found.map(|what| Condition::Found {
        what: FoundWhat::from(what),
    }));
    Ok(RuleDraft {
        effect: RuleEffect::from(rule.effect),
        hook: EnforcementPoint::from(rule.at),
        caller: rule.caller,
        server: rule.server,
        tool: rule.tool,
        when,
        reason: rule.reason,
    })
}

impl From<EffectWord> for RuleEffect {
    fn from(word: EffectWord) -> Self {
        match word {
            EffectWord::Forbid => Self::Forbid,
            EffectWord::Ask => Self::Ask,
            EffectWord::Allow => Self::Allow,
        }
    }
}

impl From<HookWord> for EnforcementPoint {
    fn from(word: HookWord) -> Self {
        match word {
            HookWord::Discover => Self::Discover,
            HookWord::Call => Self::Call,
            HookWord::Return => Self::Return,
            HookWord::Egress => Self::Egress,
        }
    }
}

impl From<FoundWord> for FoundWhat {
    fn from(word: FoundWord) -> Self {
        match word {
            FoundWord::Instructions => Self::Instructions,
            FoundWord::Credentials => Self::Credentials,
            FoundWord::PersonalNumbers => Self::PersonalNumbers,
        }
    }
}

fn show(view: &PolicyView) {
    for layer in &view.layers {
        let LayerView {
            layer,
            file,
            present,
            broken,
            rules,
        } = layer;
        let name = match layer {
            Layer::Administrator => "The administrator's rules",
            Layer::Person => "Your rules",
            Layer::BuiltIn => "Majordomo's own rules",
        };
        let file = file.as_ref().map(|file| format!(" ({file})"));
        let state = match (broken.is_some(), *present, rules.is_empty()) {
            (true, ..) => " cannot be read; nothing runs until they can",
            (false, false, true) => ": there is no such file",
            (false, false, false) => ": the file is gone; they hold until Majordomo ends",
            (false, true, true) => ": none",
            (false, true, false) => "",
        };
        let file = file.unwrap_or_default();
        print::result(print::visible(&format!("// {name}{file}{state}")));
        if let Some(RuleProblem {
            place: _,
            line,
            column,
            problem,
        }) = broken
        {
            let (line, column) = (or_dash(*line), or_dash(*column));
            print::result(print::visible(&format!(
                "// line {line}, column {column}: {problem}"
            )));
        }
        for rule in rules {
            print::result(print::lines(&rule.text));
        }
        print::result("");
    }
}
