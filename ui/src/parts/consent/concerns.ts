/** What speaks against a call: which sentence says it, and which of the arguments it is about. */
import type { Concern } from '../../host/types.gen'
import { flatten, type Leaf } from '../../kit/flatten'
import type { Key } from '../../messages'

/** The sentence of a concern. Where nobody has named the value, some say so; an act need not be upon anything. */
export function sentenceOf({ why, source, value }: Concern): Key {
  const unnamed = source.kind === 'unknown'
  switch (why) {
    case 'recipient':
    case 'site':
    case 'place':
    case 'credential':
      return unnamed ? `concern.${why}_unknown` : `concern.${why}`
    case 'steered_act':
    case 'unasked_act':
      return value === '' ? `concern.${why}_bare` : `concern.${why}`
    default:
      return `concern.${why}`
  }
}

/** The paths of a table of these arguments whose values a concern names. */
export function marked(concerns: readonly Concern[], args: Record<string, unknown>): Set<string> {
  const leaves = flatten(args)
  return new Set(concerns.flatMap((concern) => pathsOf(concern, leaves)))
}

/** Below its argument the leaves that hold its value; all of them where the value is covered or cut and is found in none. */
function pathsOf({ argument, value }: Concern, leaves: readonly Leaf[]): string[] {
  if (argument === null) return []
  const below = leavesBelow(argument, leaves)
  const holding = below.filter((leaf) => leaf.text.includes(value))
  return (holding.length > 0 ? holding : below).map(({ path }) => path)
}

/** The leaves that stand under an argument, by its names joined by dots. */
export function leavesBelow(argument: string, leaves: readonly Leaf[]): Leaf[] {
  return leaves.filter(({ path }) => `${namesOf(path)}.`.startsWith(`${argument}.`))
}

/** The names of a path such as `to[0]["a b"].name`, joined by dots: `to.a b.name`. */
function namesOf(path: string): string {
  return path
    .replace(/\[(\d+|"(?:[^"\\]|\\.)*")\]/g, (_, inner: string) =>
      inner.startsWith('"') ? `.${String(JSON.parse(inner))}` : '',
    )
    .replace(/^\./, '')
}
