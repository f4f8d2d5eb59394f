/** What is different between what would be sent and what was sent the last time, value by value. */
import { differenceOfWords, type Piece } from '../../kit/difference'
import { flatten, type Leaf } from '../../kit/flatten'

/** One value that is not what it was. */
export interface Changed {
  path: string
  how: 'new' | 'gone' | 'changed'
  pieces: Piece[]
}

/** The values that differ, those of now first and in their order. */
export function changedSince(
  before: Record<string, unknown>,
  now: Record<string, unknown>,
): Changed[] {
  const [old, fresh] = [leavesOf(before), leavesOf(now)]
  const differing = [...fresh].flatMap(([path, leaf]): Changed[] => {
    const was = old.get(path)
    if (was === undefined)
      return [{ path, how: 'new', pieces: [{ kind: 'added', text: leaf.text }] }]
    // Two numbers that were rounded to the same one need not have been the same.
    const sure = leaf.kind !== 'number' || !leaf.text.startsWith('≈')
    if (was.text === leaf.text && was.kind === leaf.kind && sure) return []
    const pieces: Piece[] =
      was.text === leaf.text
        ? [
            { kind: 'removed', text: written(was) },
            { kind: 'added', text: written(leaf) },
          ]
        : differenceOfWords(was.text, leaf.text)
    return [{ path, how: 'changed', pieces }]
  })
  const gone = [...old]
    .filter(([path]) => !fresh.has(path))
    .map(([path, leaf]): Changed => ({
      path,
      how: 'gone',
      pieces: [{ kind: 'removed', text: leaf.text }],
    }))
  return [...differing, ...gone]
}

const leavesOf = (value: Record<string, unknown>): Map<string, Leaf> =>
  new Map(Object.keys(value).length === 0 ? [] : flatten(value).map((leaf) => [leaf.path, leaf]))
const written = ({ kind, text }: Leaf): string => (kind === 'string' ? JSON.stringify(text) : text)
