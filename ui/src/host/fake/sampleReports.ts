/** Samples of what is sent to a collector, and of what servers may ask a model for. */
import type { SamplingView, TelemetryView } from '../types.gen'

/** Nothing is sent. */
export const noTelemetry = (): TelemetryView => ({
  settings: { endpoint: null, contents: false, propagate: false },
  sent_at: null,
  problem: null,
  dropped: 0,
})

/** Traces are sent; or fail to arrive. */
export function someTelemetry(fails: boolean): TelemetryView {
  const at = Date.UTC(2026, 10, 21, 9, 29, 40)
  return {
    settings: { endpoint: 'https://collector.example:4318', contents: false, propagate: true },
    sent_at: at,
    problem: fails ? 'error sending request: connection refused (os error 111)' : null,
    dropped: fails ? 214 : 0,
  }
}

/** A server may not ask for a model. */
export function noSampling(model: string | null): SamplingView {
  const limit = { requests: 20, tokens: 50_000, per_reply: 2_000 }
  return { settings: { on: false, review_replies: true, limit }, left: limit, model }
}
