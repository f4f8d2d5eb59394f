/**
 * Which servers and tools an application is given, as check marks.
 *
 * Always true here: a check mark says what the host does with the selection: a server that is checked is given as a whole, also with what
 * it offers later; one with some tools checked gives these only.
 */
import type { Selected, ServerId, ToolName, ToolSelection } from '../../host/types.gen'

/** How much of a server is given. */
export type Given = 'all' | 'some' | 'none'

/** A server with the names of its tools, as far as they are known. */
export interface ServerTools {
  server: ServerId
  tools: ToolName[]
}

/** Whether what is added later is given, too. */
export function givesLater(selection: ToolSelection): boolean {
  return selection.kind !== 'only'
}

/** Whether a tool is given. */
export function hasTool(selection: ToolSelection, server: ServerId, tool: ToolName): boolean {
  const part = partOf(selection, server)
  const named = part !== undefined && (part.tools === null || part.tools.includes(tool))
  return selection.kind === 'only' ? named : !named
}

/** How much of a server is given. */
export function givenOf(selection: ToolSelection, server: ServerId): Given {
  const part = partOf(selection, server)
  if (part === undefined) return selection.kind === 'only' ? 'none' : 'all'
  if (part.tools !== null) return 'some'
  return selection.kind === 'only' ? 'all' : 'none'
}

/** The same with a whole server given, or nothing of it. */
export function withServer(selection: ToolSelection, server: ServerId, on: boolean): ToolSelection {
  return put(selection, server, on === (selection.kind === 'only') ? null : [])
}

/** The same with one tool given, or not. */
export function withTool(
  selection: ToolSelection,
  { server, tools }: ServerTools,
  tool: ToolName,
  on: boolean,
): ToolSelection {
  const part = partOf(selection, server)
  // A whole server, of which one tool is another matter, is all its other tools.
  const named = part === undefined ? [] : (part.tools ?? tools)
  const without = named.filter((other) => other !== tool)
  return put(selection, server, on === (selection.kind === 'only') ? [...without, tool] : without)
}

/** The same check marks, with what is added later given, too, or not. */
export function withLater(
  selection: ToolSelection,
  later: boolean,
  servers: readonly ServerTools[],
): ToolSelection {
  if (later === givesLater(selection)) return selection
  const parts = servers.flatMap(({ server, tools }): Selected[] => {
    const given = givenOf(selection, server)
    if (given === 'some') {
      const named = tools.filter((tool) => hasTool(selection, server, tool) !== later)
      return named.length > 0 ? [{ server, tools: named }] : []
    }
    return (given === 'all') === later ? [] : [{ server, tools: null }]
  })
  return later ? exceptFor(parts) : { kind: 'only', parts }
}

/** Whether two selections are the same. */
export function isSameSelection(one: ToolSelection, other: ToolSelection): boolean {
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other))
}

const partsOf = (selection: ToolSelection): Selected[] =>
  selection.kind === 'all' ? [] : selection.parts

const partOf = (selection: ToolSelection, server: ServerId): Selected | undefined =>
  partsOf(selection).find((part) => part.server.toLowerCase() === server.toLowerCase())

const exceptFor = (parts: Selected[]): ToolSelection =>
  parts.length === 0 ? { kind: 'all' } : { kind: 'except', parts }

/** Names these tools of a server; `null` names the server as a whole, and no tool nothing of it. */
function put(selection: ToolSelection, server: ServerId, tools: ToolName[] | null): ToolSelection {
  const known = partOf(selection, server)
  const others = partsOf(selection).filter((part) => part !== known)
  const parts = tools?.length === 0 ? others : [...others, { server, tools }]
  return selection.kind === 'only' ? { kind: 'only', parts } : exceptFor(parts)
}

const ordered = (selection: ToolSelection): unknown => [
  selection.kind,
  partsOf(selection)
    .map(({ server, tools }) => [server, tools === null ? null : [...tools].sort()])
    .sort(([left], [right]) => (String(left) < String(right) ? -1 : 1)),
]
