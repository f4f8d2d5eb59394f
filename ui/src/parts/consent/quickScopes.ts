/**
 * The usual ways to remember a yes, so that most need no form. Pure.
 *
 * Always true here: the narrowest stands first, and there are no more than are read at a glance; a folder is offered only where
 * an argument lies in one that the server was given.
 */
import type { AffectedResources, ArgumentOptions, Remember } from '../../host/types.gen'
import type { Key } from '../../messages'
import { beginning, limitsOf } from './limits'

const MOST = 6

/** For which arguments. */
export type Extent = 'exactly' | 'within' | 'any'
/** How long. */
export type Span = 'conversation' | 'workspace' | 'always'

export interface QuickScope {
  extent: Extent
  span: Span
  /** What it says, with `folder` for the folders. */
  words: Key
  /** Those of `within`. */
  folders: string[]
  remember: Remember
}

/** By what they cover, then by how long. */
const OFFERED: readonly [Extent, Span, Key][] = [
  ['exactly', 'conversation', 'quick.exactly.conversation'],
  ['exactly', 'workspace', 'quick.exactly.workspace'],
  ['within', 'conversation', 'quick.within.conversation'],
  ['within', 'workspace', 'quick.within.workspace'],
  ['within', 'always', 'quick.within.always'],
  ['any', 'conversation', 'quick.any.conversation'],
  ['any', 'workspace', 'quick.any.workspace'],
  ['any', 'always', 'quick.any.always'],
]

/** The scopes for a call; `many` says whether there is more than one workspace. */
export function quickScopes(
  options: readonly ArgumentOptions[],
  args: Record<string, unknown>,
  touches: AffectedResources,
  many: boolean,
): QuickScope[] {
  const limits = limitsOf(beginning(options, args, touches)) ?? []
  const folders = limits.flatMap(({ allowed }) =>
    allowed?.kind === 'under' ? [allowed.folder] : [],
  )
  return OFFERED.filter(
    ([extent, span]) =>
      (span !== 'always' || many) &&
      (extent !== 'within' || folders.length > 0) &&
      // A call without arguments is remembered as it is.
      (extent !== 'any' || Object.keys(args).length > 0),
  )
    .slice(0, MOST)
    .map(([extent, span, words]) => ({
      extent,
      span,
      words,
      folders: extent === 'within' ? [...new Set(folders)] : [],
      remember: {
        lasting: { kind: span },
        cover: extent === 'within' ? { kind: extent, limits } : { kind: extent },
      },
    }))
}
