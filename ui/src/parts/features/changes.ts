/** What changes mean, the gravest first. */
import type { ChangeKind } from '../../host/types.gen'

export const CHANGE_KINDS: readonly ChangeKind[] = [
  'speaks_to_model',
  'widens',
  'narrows',
  'cosmetic',
]

/** The tone of a kind of change; its word says the same. */
export function changeTone(kind: ChangeKind): 'bad' | 'warn' | 'info' | 'neutral' {
  return (
    { speaks_to_model: 'bad', widens: 'warn', narrows: 'info', cosmetic: 'neutral' } as const
  )[kind]
}
