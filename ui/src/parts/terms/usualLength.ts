/** For how long the form for remembering an answer begins. Kept in this browser or window only. */
export const USUAL_LENGTHS = [
  'times',
  'hour',
  'today',
  'week',
  'conversation',
  'workspace',
] as const
export type UsualLength = (typeof USUAL_LENGTHS)[number]

const KEPT_AS = 'majordomo.remember-for'

/** The length that was chosen. */
export function usualLength(): UsualLength {
  const value = localStorage.getItem(KEPT_AS)
  return USUAL_LENGTHS.find((length) => length === value) ?? 'conversation'
}

/** Chooses a length. */
export function chooseUsualLength(length: UsualLength): void {
  if (length === 'conversation') localStorage.removeItem(KEPT_AS)
  else localStorage.setItem(KEPT_AS, length)
}
