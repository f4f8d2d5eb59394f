/** How large text is. Kept in this browser or window only. */
export const TEXT_SIZES = ['small', 'normal', 'large', 'larger'] as const
export type TextSize = (typeof TEXT_SIZES)[number]

const KEPT_AS = 'majordomo.text-size'
/** Of the size that the system has chosen for this window. */
const SCALES: Record<TextSize, string> = {
  small: '90%',
  normal: '100%',
  large: '115%',
  larger: '130%',
}

/** The size that was chosen. */
export function chosenTextSize(): TextSize {
  const value = localStorage.getItem(KEPT_AS)
  return TEXT_SIZES.find((size) => size === value) ?? 'normal'
}

/** Chooses a size and shows it. */
export function chooseTextSize(size: TextSize): void {
  if (size === 'normal') localStorage.removeItem(KEPT_AS)
  else localStorage.setItem(KEPT_AS, size)
  showTextSize(size)
}

/** Shows a size. All others follow from that of the root. */
export function showTextSize(size: TextSize): void {
  if (size === 'normal') document.documentElement.style.removeProperty('font-size')
  else document.documentElement.style.fontSize = SCALES[size]
}
