/** The title that a server gives a tool, as it stands in front of its name. Pure. */
import type { ToolSpec } from '../../host/types.gen'
import { cut } from '../../kit/cut'

/** Longer titles are cut: they would push away what stands behind them. */
export const LONGEST_TITLE = 60

type Titled = Pick<ToolSpec, 'name' | 'title' | 'annotations'>

/** The whole title; nothing where there is none, or where it only says the name again. */
export function wholeTitle({ name, title, annotations }: Titled): string | null {
  // Before there was a title of its own, it was a hint.
  const said = [title, annotations?.['title']].find(
    (text): text is string => typeof text === 'string' && text.trim() !== '',
  )
  return said === undefined || said === name ? null : said
}

/** The title, no longer than it can stand in front of the name. */
export function toolTitle(tool: Titled): string | null {
  const title = wholeTitle(tool)
  return title === null ? null : cut(title, LONGEST_TITLE)
}
