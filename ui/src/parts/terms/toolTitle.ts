/** The title that a server gives a tool, as it stands in front of its name. Pure. */
import type { ToolSpec } from '../../host/types.gen'
import { cut } from '../../kit/cut'

/** Longer titles are cut: they would push away what stands behind them. */
export const LONGEST_TITLE = 60

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
  return said === undefined || said === name ? null : cut(said, LONGEST_TITLE)
}
