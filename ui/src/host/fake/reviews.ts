/** What pretended servers offer, compared with what was decided. Nothing waits unless a world says so. */
import { hostError } from '../error'
import type { FakeHost } from '../fake'
import type { Answers, Params } from '../host'
import type { Decision, OfferDecision, OffersReview, OfferView, Refusal, ServerId, Standing, ToolView } from '../types.gen'
import { fakeFingerprint } from './launch'

type ReviewMethod = 'review_offers' | 'decide_offers'

/** Whether a person has still to decide. */
export function waits(standing: Standing): boolean {
  return ['new', 'changed', 'renamed', 'gone'].includes(standing.kind)
}

/** Why a tool may not be called; nothing if it may. */
export function refusalOf(standing: Standing): Refusal | null {
  switch (standing.kind) {
    case 'approved':
      return null
    case 'new':
      return { kind: 'not_reviewed' }
    case 'kept_off':
      return { kind: 'switched_off' }
    case 'blocked':
      return { kind: 'blocked' }
    default:
      return { kind: 'quarantined' }
  }
}

/** An offer in which nothing was found; `more` says what is to be known about it. */
export function offerView(key: OfferView['key'], definition: Record<string, unknown> | null, more: Partial<OfferView> = {}): OfferView {
  return {
    key,
    standing: { kind: 'new' },
    fingerprint: definition === null ? null : fakeFingerprint(definition),
    definition,
    before: null,
    decided_at: null,
    changes: [],
    inspection: { findings: [], held_back: false },
    resembles: [],
    held_back: false,
    ...more,
  }
}

/** A tool as an offer. */
export function toolOffer({ spec, standing }: ToolView, more: Partial<OfferView> = {}): OfferView {
  const named = { name: spec.name, title: spec.title, description: spec.description, inputSchema: spec.input_schema, outputSchema: spec.output_schema, annotations: spec.annotations, _meta: spec.meta }
  const definition = Object.fromEntries([...Object.entries(named), ...Object.entries(spec.extra)].filter(([, value]) => value !== null))
  return offerView({ kind: 'tool', name: spec.name }, definition, { standing, ...more })
}

/** The handlers of these requests. */
export function reviewHandlers(host: FakeHost): { [M in ReviewMethod]: (params: Params<M>) => Answers[M] } {
  const of = (server: ServerId): OfferView[] =>
    (host.world.reviews[server] ??= host.world.tools.filter((tool) => tool.server === server).map((tool) => toolOffer(tool, { decided_at: Date.UTC(2026, 10, 18, 8) })))
  const review = (server: ServerId): OffersReview => {
    const offers = of(server)
    return { server, offers, waiting: offers.filter(({ standing }) => waits(standing)).length }
  }
  return {
    review_offers: ({ server }) => review(server),
    decide_offers: ({ server, decisions }) => {
      const chosen = decisions.map((decision) => ({ offer: find(of(server), decision), decision: decision.decision }))
      for (const { offer, decision } of chosen) {
        host.world.reviews[server] = of(server).flatMap((other) => (other === offer ? decided(offer, decision) : [other]))
        for (const tool of host.world.tools) {
          if (tool.server === server && tool.spec.name === offer.key.name && offer.key.kind === 'tool') tool.standing = STANDING[decision]
        }
      }
      const now = review(server)
      host.change(server, { waiting: now.waiting })
      host.tell({ kind: 'tools_changed', server })
      host.tell({ kind: 'offers_changed', server })
      return now
    },
  }
}

const STANDING: Record<Decision, Standing> = { approve: { kind: 'approved' }, keep_off: { kind: 'kept_off' }, block: { kind: 'blocked' } }

function find(offers: OfferView[], { key, fingerprint }: OfferDecision): OfferView {
  const offer = offers.find((other) => other.key.kind === key.kind && other.key.name === key.name)
  if (!offer || offer.fingerprint !== fingerprint) throw hostError('offer_changed', `${key.kind} ${key.name} is not what was shown any more; look at it again.`)
  return offer
}

/** What is gone is forgotten, whatever the decision. */
function decided(offer: OfferView, decision: Decision): OfferView[] {
  if (offer.definition === null) return []
  return [{ ...offer, standing: STANDING[decision], before: offer.definition, decided_at: Date.now(), changes: [], held_back: false }]
}
