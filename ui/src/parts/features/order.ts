/**
 * What is looked at first, and what may be decided together.
 *
 * Always true here: every offer is in exactly one group, and what is held back is never approved together with others.
 */
import type {
  ChangeKind,
  PinDecision,
  FeatureDecision,
  FeatureKey,
  FeatureView,
  Severity,
} from '../../host/types.gen'

/** The offers of a server as they are laid out. */
export interface Groups {
  /** Waits and has to be looked at: held back, changed, gone, found something in, like another. The gravest first. */
  first: FeatureView[]
  /** Waits, and nothing stands out; what may do most comes first. */
  rest: FeatureView[]
  /** Decided. */
  decided: FeatureView[]
}

/** What a server claims that a thing does, what may do most first. */
const CLAIMS = ['destroys', 'changes', 'unsaid', 'reads', 'other'] as const
export type Claim = (typeof CLAIMS)[number]

const SEVERITIES: Severity[] = ['info', 'low', 'medium', 'high', 'critical']
const KINDS: ChangeKind[] = ['cosmetic', 'narrows', 'widens', 'speaks_to_model']

/** What an offer is known by, as one text. */
export function keyText(key: FeatureKey): string {
  return `${key.kind} ${key.name}`
}

/** Whether a person has still to decide. */
export function waits(offer: FeatureView): boolean {
  return ['new', 'changed', 'renamed', 'gone'].includes(offer.standing.kind)
}

/** Whether it is another thing than what was approved. */
function isOther(offer: FeatureView): boolean {
  return offer.standing.kind === 'changed' || offer.standing.kind === 'renamed'
}

/** The gravest thing that was found in it. */
export function worst(offer: FeatureView): Severity | undefined {
  return SEVERITIES.findLast((severity) =>
    offer.inspection.findings.some((finding) => finding.severity === severity),
  )
}

/** Whether it is approved alone, if at all. */
function isHeldBack(offer: FeatureView): boolean {
  return offer.held_back || offer.inspection.held_back
}

/** Whether a no is the safe answer, so that it comes first. */
export function isGrave(offer: FeatureView): boolean {
  return isHeldBack(offer) || isOther(offer) || foundAtLeast(offer, 'high')
}

/** Whether there is something about it that a person should not pass over. */
export function isNotable(offer: FeatureView): boolean {
  return (
    isHeldBack(offer) ||
    isOther(offer) ||
    foundAtLeast(offer, 'medium') ||
    offer.resembles.length > 0
  )
}

/** The groups. */
export function grouped(offers: readonly FeatureView[]): Groups {
  const waiting = offers.filter(waits)
  const first = waiting.filter(looksFirst)
  const stands = new Set(first)
  return {
    first: first
      .map((offer, at) => ({ offer, at }))
      .sort((a, b) => gravity(b.offer) - gravity(a.offer) || a.at - b.at)
      .map(({ offer }) => offer),
    rest: byClaim(waiting.filter((offer) => !stands.has(offer))).flatMap(({ offers }) => offers),
    decided: offers.filter((offer) => !waits(offer)),
  }
}

/** Things by what the server claims of them; no group is empty. */
export function byClaim(offers: readonly FeatureView[]): { claim: Claim; offers: FeatureView[] }[] {
  return CLAIMS.map((claim) => ({
    claim,
    offers: offers.filter((offer) => claimOf(offer) === claim),
  })).filter((group) => group.offers.length > 0)
}

/** What a server claims that a thing does. What is not denied of a tool that changes things counts as claimed, as MCP has it. */
export function claimOf({ key, definition }: FeatureView): Claim {
  if (key.kind !== 'tool') return 'other'
  const said = definition?.['annotations']
  const hints = typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : {}
  const { readOnlyHint: reads, destructiveHint: destroys } = hints
  if (destroys === true || (reads === false && destroys !== false)) return 'destroys'
  if (reads === true) return 'reads'
  return reads === false || destroys === false ? 'changes' : 'unsaid'
}

/** What one decision is about when it is made for all that wait. */
export function together(offers: readonly FeatureView[], decision: PinDecision): FeatureView[] {
  return offers.filter((offer) => waits(offer) && !(decision === 'approve' && isHeldBack(offer)))
}

/** The decisions to be sent. */
export function decisions(
  offers: readonly FeatureView[],
  decision: PinDecision,
): FeatureDecision[] {
  return offers.map(({ key, fingerprint }) => ({ key, fingerprint, decision }))
}

function foundAtLeast(offer: FeatureView, least: Severity): boolean {
  const found = worst(offer)
  return found !== undefined && SEVERITIES.indexOf(found) >= SEVERITIES.indexOf(least)
}

/** What a server tells models about itself is read, too: it stands beside every one of its tools. */
function looksFirst(offer: FeatureView): boolean {
  const instructs =
    offer.key.kind === 'about' && typeof offer.definition?.['instructions'] === 'string'
  return isNotable(offer) || offer.standing.kind === 'gone' || instructs
}

function gravity(offer: FeatureView): number {
  if (offer.standing.kind === 'gone') return -1
  const found = worst(offer)
  const changed = Math.max(-1, ...offer.changes.map((change) => KINDS.indexOf(change.kind)))
  return (
    (isHeldBack(offer) ? 100 : 0) +
    (isOther(offer) ? 10 + changed : 0) +
    (found === undefined ? 0 : SEVERITIES.indexOf(found))
  )
}
