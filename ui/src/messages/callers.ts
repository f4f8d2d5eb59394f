/**
 * Who asks, in words and for lists.
 *
 * Always true here:
 * - a kind that this version does not know is shown as what it is, never as another one;
 * - a name is the caller's own claim: beside it stands the id, which is not.
 */
import { isSingle } from '../host/callers'
import type { Caller, CallerFilter } from '../host/types.gen'
import { keyOf, m } from '.'

/** A caller, or those of a kind, as one text: `terminal`, `client:editor-1`. */
export type CallerText = string

/** Who asks. */
export function callerWords({ kind, id, name }: Caller): string {
  const family = isSingle(kind) || name === id ? 'caller' : 'caller_named'
  return m(keyOf(family, kind), { kind, id, name })
}

/** Every caller of a kind, or one of them by its id. */
export function filterWords({ kind, id }: CallerFilter): string {
  return id === null
    ? m(keyOf('caller_kind', kind), { kind })
    : m(keyOf('caller', kind), { kind, name: id })
}

/** One caller as a text. */
export function textOf({ kind, id }: Caller): CallerText {
  return `${kind}:${id}`
}

/** A filter as a text, which `filterOf` reads. */
export function textOfFilter({ kind, id }: CallerFilter): CallerText {
  return id === null ? kind : `${kind}:${id}`
}

/** What a text means; nothing where it is empty. */
export function filterOf(text: CallerText): CallerFilter | null {
  if (text === '') return null
  const [kind = '', id] = text.split(':', 2)
  return { kind, id: id ?? null }
}

/** The kinds of these callers, each before the ones of it; of a kind with only one there is nothing more to choose. */
export function callerOptions(callers: readonly Caller[]): { value: CallerText; label: string }[] {
  return [...new Set(callers.map(({ kind }) => kind))].flatMap((kind) => [
    { value: kind, label: filterWords({ kind, id: null }) },
    ...callers
      .filter((caller) => caller.kind === kind && !isSingle(kind))
      .map((caller) => ({ value: textOf(caller), label: callerWords(caller) })),
  ])
}
