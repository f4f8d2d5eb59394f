/** The title that a server gives a tool, as it stands in front of its name. Pure. */
import type { ToolSpec } from '../../host/types.gen'

/** Longer titles are cut: they would push away what stands behind them. */
const LONGEST = 60

/** The title; nothing where there is none, or where it only says the name again. */
export function toolTitle({
  name,
  title,
  annotations,
}: Pick<ToolSpec, 'name' | 'title' | 'annotations'>): string | null {
  // Before there was a title of its own, it was a hint.
  const said = [title, annotations?.['title']].find(
    (text): text is string => typeof text === 'string' && text.trim() !== '',
  )
  return said === undefined || said === name ? null : cut(said)
}

/** A name that a stranger gives, no longer than is read at a glance. */
export function cut(text: string): string {
  const characters = [...text.slice(0, LONGEST * 2 + 1)]
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : text
}
