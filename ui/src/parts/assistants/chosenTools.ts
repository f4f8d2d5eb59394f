/**
 * The tools of an assistant as check marks.
 *
 * Always true here: only tools are chosen, never what a server offers later; one that is not there now stays chosen until a person takes
 * it away.
 */
import type { ChosenTool, ServerId, ToolName, ToolSelection } from '../../host/types.gen'

/** A server with the names of its tools, as far as they are known. */
export interface KnownTools {
  server: ServerId
  tools: ToolName[]
}

/** What was chosen, as check marks: a server all of whose tools were chosen is checked. */
export function asSelection(chosen: ChosenTool[], known: readonly KnownTools[]): ToolSelection {
  const servers = [...new Set(chosen.map(({ server }) => server))]
  const parts = servers.map((server) => {
    const tools = namesOf(chosen, server)
    const there = known.find((one) => one.server === server)?.tools ?? []
    const whole = there.length > 0 && there.every((tool) => tools.includes(tool))
    return { server, tools: whole ? null : tools }
  })
  return { kind: 'only', parts }
}

/** What is chosen by check marks. `before` was chosen until now. */
export function asChosen(
  selection: ToolSelection,
  before: ChosenTool[],
  known: readonly KnownTools[],
): ChosenTool[] {
  if (selection.kind !== 'only') return before
  return selection.parts.flatMap(({ server, tools }) => {
    const there = known.find((one) => one.server === server)?.tools ?? []
    const names = tools ?? [...new Set([...namesOf(before, server), ...there])]
    return names.map((tool) => ({ server, tool }))
  })
}

/** What was chosen and is not there now. */
export function away(chosen: ChosenTool[], known: readonly KnownTools[]): ChosenTool[] {
  return chosen.filter(
    ({ server, tool }) => !known.some((one) => one.server === server && one.tools.includes(tool)),
  )
}

const namesOf = (chosen: ChosenTool[], server: ServerId): ToolName[] =>
  chosen.filter((one) => one.server === server).map(({ tool }) => tool)
