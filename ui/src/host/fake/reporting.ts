/** What the pretended host sends to a collector, and lets servers ask a model for. */
import { hostError } from '../error'
import type { FakeHost } from '../fake'
import type { Answers, Params } from '../host'
import type { SamplingView, TelemetryView } from '../types.gen'

type ReportMethod = 'show_telemetry' | 'set_telemetry' | 'show_sampling' | 'set_sampling'

/** Nothing is sent. */
export const noTelemetry = (): TelemetryView => ({ settings: { endpoint: null, contents: false, propagate: false }, sent_at: null, problem: null, dropped: 0 })

/** Traces are sent; or fail to arrive. */
export function someTelemetry(fails: boolean): TelemetryView {
  const at = Date.UTC(2026, 10, 21, 9, 29, 40)
  return { settings: { endpoint: 'https://collector.example:4318', contents: false, propagate: true }, sent_at: at, problem: fails ? 'error sending request: connection refused (os error 111)' : null, dropped: fails ? 214 : 0 }
}

/** A server may not ask for a model. */
export function noSampling(model: string | null): SamplingView {
  const limit = { requests: 20, tokens: 50_000, per_reply: 2_000 }
  return { settings: { on: false, review_replies: true, limit }, left: limit, model }
}

/** Answers the requests about telemetry and sampling. */
export function reportHandlers(host: FakeHost): { [M in ReportMethod]: (params: Params<M>) => Answers[M] } {
  const sampling = (server: string): SamplingView => (host.world.sampling[server] ??= noSampling(host.world.model))
  return {
    show_telemetry: () => host.world.telemetry,
    set_telemetry: ({ settings }) => {
      if (settings.endpoint !== null && !/^https?:\/\/[^\s/]+/.test(settings.endpoint)) throw hostError('bad_url', 'This is not the address of a collector.')
      const fails = settings.endpoint?.includes('unreachable') ?? false
      const view: TelemetryView = { settings, sent_at: settings.endpoint === null || fails ? null : Date.now(), problem: fails ? 'connection refused' : null, dropped: 0 }
      host.world.telemetry = view
      return view
    },
    show_sampling: ({ server }) => sampling(server),
    set_sampling: ({ server, settings }) => {
      const used = sampling(server)
      const left = (name: 'requests' | 'tokens'): number => Math.max(0, settings.limit[name] - (used.settings.limit[name] - used.left[name]))
      return (host.world.sampling[server] = { ...used, settings, left: { requests: left('requests'), tokens: left('tokens'), per_reply: settings.limit.per_reply } })
    },
  }
}
