/** The ways to say yes, narrowest first. */
import type { Answer } from '../../host/types.gen'

export const YES = ['allow_once', 'allow_run', 'allow_arguments', 'allow_tool'] as const

/** How far a yes goes. */
export type Yes = (typeof YES)[number]

/** A no, with the person's words if there are any. */
export function no(reason: string): Answer {
  const words = reason.trim()
  return { kind: 'deny', reason: words === '' ? null : words }
}
