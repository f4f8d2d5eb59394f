/** What the gallery replies to calls, to answers and to what is done with rules. */
import { WINDOW } from './callers'
import { hostError } from '../error'
import { NOTHING_MORE } from './nothingMore'
import type { Replies } from '../fake'
import type {
  Decision,
  DecisionPreview,
  Grant,
  PolicyView,
  Question,
  Rule,
  ServerId,
} from '../types.gen'
import { grantOf } from './grants'
import { sampleResult, uncoveredPage, WHOLE } from './sampleResults'
import { ruleOf } from './samplePolicy'
import type { World } from './world'

/** Calls, and answers to the questions about them. */
export function callActs(world: World): Replies {
  const named = (server: ServerId, tool: string) => {
    const found = world.tools.find((other) => other.server === server && other.spec.name === tool)
    if (!found) throw hostError('unknown_tool', `${server} has no tool ${tool}.`)
    return found
  }
  let turn = 0
  return {
    set_tool: ({ server, tool, on }) => ({ ...named(server, tool), on }),
    show_tool_always: ({ server, tool, on }) => ({ ...named(server, tool), always_shown: on }),
    mark_tool: ({ server, tool, mark }) => ({ ...named(server, tool), mark }),
    call_tool: ({ call, server, tool }, host) => {
      const id = call ?? 'call-00000000000000ff'
      const [newest] = world.activity
      const row = {
        seq: (newest?.row.seq ?? 0) + 1,
        at: Date.now(),
        what: 'call',
        caller: WINDOW,
        server,
        tool,
        outcome: 'done' as const,
        reason: 'allowed' as const,
        approver: 'question_window',
        duration_ms: 2_140,
        waited_ms: 2_100,
        ran_ms: 40,
        ...NOTHING_MORE,
      }
      world.activity.unshift({
        row,
        call: id,
        whole_kept: false,
        arguments: {},
        permission: { kind: 'answer', question: 'question-1', grant: null, changed: false },
        approver: 'question_window',
        refusal: null,
        error: null,
        records: ['{"kind":"call_began"}', '{"kind":"call_ended"}'],
      })
      host.publish({ kind: 'activity_changed', row })
      turn += 1
      return sampleResult(id, server, tool, turn)
    },
    cancel_call: null,
    reveal_answer: () => uncoveredPage(),
    full_answer: ({ call }) => ({ file_name: `${call}.txt`, text: WHOLE, result: null }),
    preview_answer: ({ question, answer }, host) =>
      previewOf(
        host.questionsHere.find(({ id }) => id === question),
        answer,
      ),
    answer_question: null,
    answer_questions: ({ answers }) => ({
      answered: answers.map(({ question }) => question),
      failed: [],
      grants: [],
    }),
    revoke_grant: ({ grant }) => withoutGrant(world, grant),
    tighten: ({ grant: id }, host) => {
      const old = withoutGrant(world, id)
      const limits = world.tightenings[0]?.arguments ?? old.arguments
      const grant = { ...old, id: 'grant-99', arguments: limits, revoked_at: null }
      world.grants = [grant, ...world.grants]
      world.tightenings = []
      host.publish({ kind: 'grant_made', grant })
      return grant
    },
    note_unknown: null,
  }
}

/** What an answer would do. A folder that is left again cannot be remembered. */
function previewOf(question: Question | undefined, answer: Decision): DecisionPreview {
  const left = JSON.stringify(answer).includes('/../')
  return {
    problems: [],
    not_remembered: left ? { kind: 'folder', folder: '/home/ada/../x' } : null,
    options: question?.subject.kind === 'call' ? question.subject.options : [],
    grant: left || question === undefined ? null : grantOf(question, answer),
    settles: [],
    past: [{ call: 'call-1', at: Date.now() - 3_600_000, arguments: { path: '/home/ada/a.md' } }],
    past_covered: 1,
    past_all: 3,
  }
}

function withoutGrant(world: World, id: string): Grant {
  const grant = world.grants.find((other) => other.id === id)
  if (!grant) throw hostError('unknown_grant', 'This approval was taken back already.')
  world.grants = world.grants.filter((other) => other !== grant)
  return { ...grant, revoked_at: Date.now() }
}

/** Rules, and what is only supposed. */
export function policyActs(world: World): Replies {
  const written = (change: (mine: Rule[]) => Rule[]): PolicyView => ({
    layers: world.policy.layers.map((layer) =>
      layer.layer === 'person' ? { ...layer, rules: change(layer.rules) } : layer,
    ),
  })
  const text =
    'permit (\n  principal,\n  action == Action::"call",\n  resource in Server::"files"\n)\nwhen { context.paths_under.contains("/home/ada/Documents/notes") };'
  const rule = (draft: Parameters<typeof ruleOf>[1]): Rule =>
    ruleOf('rule-0000000000000099', draft, text)
  const quiet = (['discover', 'call', 'return', 'egress'] as const).map((hook) => ({
    hook,
    forbid: [],
    ask: [],
    allow: [],
  }))
  return {
    preview_rule: ({ draft }) => rule(draft),
    add_rule: ({ draft }) => written((mine) => [...mine, rule(draft)]),
    remove_rule: ({ rule: id }) => written((mine) => mine.filter((other) => other.id !== id)),
    test_policy: ({ call }) => {
      const decided = (effect: 'forbid' | 'ask' | 'allow', id: string) =>
        quiet.map((hook) => (hook.hook === 'call' ? { ...hook, [effect]: [id] } : hook))
      if (call.server === 'currency' && !call.from_strangers)
        return {
          verdict: { kind: 'allow' },
          hooks: decided('allow', 'rule-0000000000000003'),
          grant: null,
        }
      if (JSON.stringify(call.arguments).includes('contracts'))
        return {
          verdict: {
            kind: 'deny',
            refusal: {
              kind: 'forbidden',
              rules: ['rule-0000000000000001'],
              by: 'person',
              reason: 'Contracts are written by people.',
            },
          },
          hooks: decided('forbid', 'rule-0000000000000001'),
          grant: null,
        }
      const reason = call.from_strangers ? 'from_strangers' : 'not_allowed_yet'
      return { verdict: { kind: 'ask', reason: { kind: reason } }, hooks: quiet, grant: null }
    },
    set_question_time: ({ minutes }) => minutes,
    set_telemetry: ({ settings }) => ({ settings, sent_at: null, problem: null, dropped: 0 }),
  }
}
