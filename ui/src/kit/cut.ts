/** A text that is no longer than is read at a glance; the end of a longer one is left out. Counted in characters. */
export function cut(text: string, longest: number): string {
  const characters = [...text.slice(0, longest * 2 + 1)]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text
}
