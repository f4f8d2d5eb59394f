/** What a host shows, as data, and the replies that read it. Nothing here changes anything: what acts, a test writes itself. */
import { sampleTakenIn } from './sampleConversations'
import { BROWSER, TERMINAL, WINDOW } from './callers'
import { figuresOf, filtered } from './figures'
import { hostError } from '../error'
import type { Replies } from '../fake'
import type {
  ActivityDetail,
  ApplicationView,
  AssistantView,
  Bypass,
  ConfinementView,
  FoundConfiguration,
  FrameView,
  GatewayView,
  Grant,
  HostInfo,
  LoggedLine,
  ConversationItem,
  ConversationView,
  LocalModels,
  LogLevel,
  ModelView,
  FeaturesReview,
  PolicyView,
  PromptSpec,
  Question,
  ResourceSpec,
  Review,
  SamplingView,
  ServerId,
  ServerView,
  TelemetryView,
  TemplateSpec,
  Tightening,
  ToolView,
  UnknownCall,
  WorkspaceView,
} from '../types.gen'

/** What a host shows. */
export interface World {
  info: HostInfo
  servers: ServerView[]
  tools: ToolView[]
  logs: Record<ServerId, string[]>
  grants: Grant[]
  /** Approvals that could be narrower. */
  tightenings: Tightening[]
  workspaces: WorkspaceView[]
  /** Other applications. */
  clients: GatewayView
  /** Models that were set up, and those that this computer serves. */
  models: ModelView[]
  localModels: LocalModels[]
  /** Assistants that were made. */
  assistants: AssistantView[]
  /** Conversations, and what was said in each. */
  conversations: ConversationView[]
  said: Record<string, ConversationItem[]>
  /** How many things at the beginning of a conversation are out of a file. */
  imported: Record<string, number>
  /** Applications on this computer that can be connected. */
  applications: ApplicationView[]
  /** What these start past Majordomo. */
  bypasses: Bypass[]
  /** Calls of which nobody knows what became of them. */
  unknown: UnknownCall[]
  policy: PolicyView
  telemetry: TelemetryView
  /** What a server may ask a model for. */
  sampling: SamplingView
  questions: Question[]
  /** What happened, newest first. */
  activity: ActivityDetail[]
  /** Configurations of other applications on this computer. */
  configurations: FoundConfiguration[]
  /** What servers offer beside tools, and what was said by the protocol. */
  offers: Record<ServerId, Offered>
  /** What servers offer, compared with what was decided. */
  reviews: Record<ServerId, FeaturesReview>
  /** What servers would run. */
  launches: Record<ServerId, Review>
  /** What servers on this computer can access. */
  confinements: Record<ServerId, ConfinementView>
}

/** What one server offers beside tools. */
export interface Offered {
  resources: ResourceSpec[]
  templates: TemplateSpec[]
  prompts: PromptSpec[]
  watched: string[]
  logged: LoggedLine[]
  level: LogLevel | null
  frames: FrameView[]
}

const NOTHING: Offered = {
  resources: [],
  templates: [],
  prompts: [],
  watched: [],
  logged: [],
  level: null,
  frames: [],
}

/** The replies of a host that shows this world, as it is when it is asked. */
export function showing(world: World): Replies {
  const offered = (server: ServerId): Offered => world.offers[server] ?? NOTHING
  return {
    snapshot: (_, { seq }) => ({
      seq,
      info: world.info,
      servers: world.servers,
      questions: world.questions,
      calls: [],
      unknown: world.unknown,
      unknown_more: 0,
      workspaces: world.workspaces,
      callers: [WINDOW, TERMINAL, BROWSER],
    }),
    review_server: ({ server }) => ({
      ...there(world.launches[server], 'unknown_server'),
      confinement: world.confinements[server] ?? null,
    }),
    review_confinement: ({ server }) => there(world.confinements[server], 'unknown_server'),
    server_log: ({ server }) => ({ server, lines: world.logs[server] ?? [], dropped: 0 }),
    server_usage: () =>
      world.servers
        .filter(({ since, launch }) => since !== null && launch.kind !== 'http')
        .map(({ id }, nth) => ({
          server: id,
          processes: 1 + (nth % 3),
          memory: 31_400_000 + nth * 17_300_000,
          cpu: nth * 1.4,
        })),
    question_time: () => 10,
    find_configurations: () => world.configurations,
    list_tools: ({ server }) => world.tools.filter((tool) => tool.server === server),
    review_offers: ({ server }) => world.reviews[server] ?? { server, offers: [], waiting: 0 },
    list_resources: ({ server }) => {
      const { resources, templates, watched } = offered(server)
      return { server, resources, templates, watched }
    },
    list_prompts: ({ server }) => offered(server).prompts,
    list_logs: ({ server }) => {
      const { level, logged } = offered(server)
      return { server, level, lines: logged, dropped: 0 }
    },
    list_exchange: ({ server }) => ({ server, frames: offered(server).frames, dropped: 0 }),
    list_grants: () => world.grants,
    list_clients: () => world.clients,
    list_models: () => world.models,
    list_assistants: () => world.assistants,
    find_models: () => world.localModels,
    list_conversations: ({ text }) =>
      world.conversations
        .filter(
          ({ id, title, task_of }) =>
            task_of === null &&
            (!text ||
              JSON.stringify([title, world.said[id]]).toLowerCase().includes(text.toLowerCase())),
        )
        .sort((a, b) => Number(b.is_pinned) - Number(a.is_pinned)),
    read_conversation: ({ conversation, before, limit }) => {
      const view = there(
        world.conversations.find(({ id }) => id === conversation),
        'unknown_conversation',
      )
      const all = world.said[conversation] ?? []
      const end = before ?? all.length
      const from = Math.max(0, end - limit)
      return {
        conversation: view,
        items: all.slice(from, end),
        from,
        total: all.length,
        steered: [],
        coming: [],
        growing: null,
        taken_in: sampleTakenIn(conversation),
        imported: world.imported[conversation] ?? 0,
        ended: view.state.kind === 'idle' && all.length > 0 ? 'done' : null,
      }
    },
    list_applications: () => world.applications,
    list_bypasses: () => world.bypasses,
    list_tightenings: () => world.tightenings,
    show_policy: () => world.policy,
    show_sampling: () => world.sampling,
    show_telemetry: () => world.telemetry,
    list_activity: ({ filter, before, limit }) => {
      const rows = filtered(world.activity, filter).filter(({ seq }) => seq < (before ?? 1e15))
      const page = rows.slice(0, limit)
      return { rows: page, next: rows.length > limit ? (page.at(-1)?.seq ?? null) : null }
    },
    count_activity: ({ filter }) => figuresOf(filtered(world.activity, filter)),
    show_call: ({ call }) =>
      there(
        world.activity.find((detail) => detail.call === call),
        'unknown_record',
      ),
    show_activity: ({ seq }) =>
      there(
        world.activity.find(({ row }) => row.seq === seq),
        'unknown_record',
      ),
  }
}

function there<T>(
  written: T | undefined,
  code: 'unknown_server' | 'unknown_record' | 'unknown_conversation',
): T {
  if (written === undefined) throw hostError(code, 'This is not in the world that is shown.')
  return written
}
