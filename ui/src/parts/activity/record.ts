/**
 * What stands in the record of a row beside what the row says.
 *
 * Always true here: a record is a line of our own log, with the event's fields as the host has written them; one that cannot be
 * read says nothing.
 */
import type {
  ActivityDetail,
  ConfinementSettings,
  FeatureKey,
  FeatureKind,
  PinDecision,
} from '../../host/types.gen'
import { readJson, writeJson } from '../../kit/form/jsonText'

/** Things of a server that a record names, by what was decided about them; `null`: nothing was. */
export interface NamedOffers {
  decision: PinDecision | null
  offers: FeatureKey[]
}

/** What a person chose that a server can access; nothing in the record of anything else. */
export function chosenIn(detail: ActivityDetail): ConfinementSettings | null {
  if (detail.row.what !== 'confinement_chosen') return null
  return recordOf<{ settings?: ConfinementSettings }>(detail)?.settings ?? null
}

/** What was decided about in one go, or what has changed; empty where a record speaks of one thing, which its row names. */
export function namedIn(detail: ActivityDetail): NamedOffers[] {
  if (detail.row.what === 'offers_decided') {
    const record = recordOf<{ decided?: (FeatureKey & { decision: PinDecision })[] }>(detail)
    const decided = record?.decided ?? []
    const decisions = [...new Set(decided.map(({ decision }) => decision))]
    return decisions.map((decision) => ({
      decision,
      offers: decided.filter((offer) => offer.decision === decision),
    }))
  }
  if (detail.row.what !== 'offer_quarantined') return []
  const record = recordOf<{ kind: FeatureKind; name: string; also?: FeatureKey[] }>(detail)
  if (record === null || record.also === undefined) return []
  return [{ decision: null, offers: [{ kind: record.kind, name: record.name }, ...record.also] }]
}

/** A record laid out over lines; as it is, where that would lose something. */
export function laidOut(record: string): string {
  const reading = readJson(record)
  return reading.ok ? writeJson(reading.value) : record
}

function recordOf<Fields>({ records }: ActivityDetail): Fields | null {
  try {
    return JSON.parse(records[0] ?? '') as Fields
  } catch {
    return null
  }
}
