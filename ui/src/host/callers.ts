/**
 * Comparing those who ask.
 *
 * Always true here: a caller is its kind and its id; its name decides nothing.
 */
import type { Caller, CallerFilter, CallerKind } from './types.gen'

/** Whether there is just one of this kind, so that it needs no id to be known. */
export function isSingle(kind: CallerKind): boolean {
  return kind === 'window' || kind === 'terminal' || kind === 'browser'
}

/** Whether they are the same. */
export function isSame(one: Caller, other: Caller): boolean {
  return one.kind === other.kind && one.id === other.id
}

/** Whether a filter is about a caller; none is about everyone. */
export function holdsFor(filter: CallerFilter | null, caller: Caller | null): boolean {
  if (filter === null) return true
  return caller?.kind === filter.kind && (filter.id === null || caller.id === filter.id)
}
