/** What servers offer, compared with what was decided. */
import type { FeaturesReview, FeatureView, ServerId, ToolView } from '../types.gen'
import { fakeFingerprint } from './fingerprint'

/** An offer in which nothing was found; `more` says what is to be known about it. */
export function offerView(
  key: FeatureView['key'],
  definition: Record<string, unknown> | null,
  more: Partial<FeatureView> = {},
): FeatureView {
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
export function toolOffer(
  { spec, standing }: ToolView,
  more: Partial<FeatureView> = {},
): FeatureView {
  const named = {
    name: spec.name,
    title: spec.title,
    description: spec.description,
    inputSchema: spec.input_schema,
    outputSchema: spec.output_schema,
    annotations: spec.annotations,
    _meta: spec.meta,
  }
  const definition = Object.fromEntries(
    [...Object.entries(named), ...Object.entries(spec.extra)].filter(([, value]) => value !== null),
  )
  return offerView({ kind: 'tool', name: spec.name }, definition, { standing, ...more })
}

/** What a server offers; `waiting` says how much of it waits for a decision. */
export const offersReview = (
  server: ServerId,
  offers: FeatureView[],
  waiting = offers.length,
): FeaturesReview => ({ server, offers, waiting })
