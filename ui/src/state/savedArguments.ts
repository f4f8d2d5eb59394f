/** Arguments of tools that a person gave a name. Whoever saves has taken secrets out before. */
import type { ServerId, ToolName } from '../host/types.gen'
import { SavedList } from './savedList.svelte'

/** Arguments with their name. */
export interface ArgumentSet {
  server: ServerId
  tool: ToolName
  name: string
  arguments: Record<string, unknown>
}

export class SavedArguments {
  readonly #saved = new SavedList('majordomo.arguments', isSet)

  /** Those of a tool, by their names. */
  of(server: ServerId, tool: ToolName): ArgumentSet[] {
    return this.#saved.all.filter(areOf(server, tool))
  }

  /** Keeps arguments; those of the same name and tool make way. Answers whether they are kept: there may be no room. */
  save(saved: ArgumentSet): boolean {
    return this.#saved.save(saved, areOf(saved.server, saved.tool))
  }

  remove(server: ServerId, tool: ToolName, name: string): void {
    this.#saved.remove(name, areOf(server, tool))
  }
}

function areOf(server: ServerId, tool: ToolName): (saved: ArgumentSet) => boolean {
  return (saved) => saved.server === server && saved.tool === tool
}

function isSet(value: unknown): value is ArgumentSet {
  if (typeof value !== 'object' || value === null) return false
  const {
    server,
    tool,
    name,
    arguments: args,
  } = value as Partial<Record<keyof ArgumentSet, unknown>>
  return (
    [server, tool, name].every((text) => typeof text === 'string') &&
    typeof args === 'object' &&
    args !== null &&
    !Array.isArray(args)
  )
}
