/** How much of a conversation a model reads at once. Pure. */
import type { ModelSettings } from '../../host/types.gen'

/** More than this is a matter of the memory of the computer, which a person knows. */
const MOST = 131_072

/**
 * The next larger context in which so many tokens have room beside an answer; nothing where the service does not take it from us,
 * or where that would be too large to be chosen with a press.
 */
export function moreContext({ service, context }: ModelSettings, sent: number): number | undefined {
  if (service !== 'ollama') return undefined
  let more = 4_096
  while (more <= context || more < sent * 1.25) more *= 2
  return more <= MOST ? more : undefined
}
