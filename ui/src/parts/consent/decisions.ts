/** Answers about a call. */
import type { Decision, Remember } from '../../host/types.gen'

/** A no, with the person's words if there are any. */
export function no(reason: string, remember: Remember | null = null): Decision {
  const words = reason.trim()
  return { kind: 'deny', reason: words === '' ? null : words, remember }
}

/** A yes to the call as it was asked for, or to what the person made of it. */
export function yes(
  args: Record<string, unknown> | null,
  remember: Remember | null = null,
): Decision {
  return { kind: 'allow', arguments: args, remember }
}
