/** Whose words the values of a call are. Pure. */
import type { ValueSource } from '../../host/types.gen'
import { flatten } from '../../kit/flatten'
import { m } from '../../messages'
import { leavesBelow } from './concerns'

/** The words beside each path of a table of these arguments. */
export function wordsBeside(
  sources: readonly ValueSource[],
  args: Record<string, unknown>,
): Map<string, string> {
  const leaves = flatten(args)
  // A value that the person has changed is theirs, and nothing is said of it.
  const holding = ({ argument, value }: ValueSource) =>
    leavesBelow(argument, leaves).filter(({ text }) => text === value)
  return new Map(
    sources.flatMap((source) => holding(source).map(({ path }) => [path, words(source)])),
  )
}

function words({ source }: ValueSource): string {
  return source.kind === 'unknown'
    ? m('consent.from_model')
    : m('consent.from', { origin: originWords(source) })
}

function originWords(source: ValueSource['source']): string {
  switch (source.kind) {
    case 'tool':
      return source.server === null
        ? m('origin.tool_alone', { tool: source.tool })
        : m('origin.tool', { tool: source.tool, server: source.server })
    case 'attachment':
      return m('origin.attachment', { name: source.name })
    default:
      return m(`origin.${source.kind}`)
  }
}
