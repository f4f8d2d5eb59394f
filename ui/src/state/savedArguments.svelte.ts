/**
 * Arguments of tools that a person gave a name. Kept in this window only.
 *
 * Always true here: at most `MOST` of each tool, each name once; whoever saves has taken secrets out before.
 */
import type { ServerId, ToolName } from '../host/types.gen'

const KEPT_AS = 'majordomo.arguments'

/** So many can be kept of each tool. */
export const MOST = 20
/** So long a name can be. */
export const LONGEST_NAME = 60

/** Arguments with their name. */
export interface ArgumentSet {
  server: ServerId
  tool: ToolName
  name: string
  arguments: Record<string, unknown>
}

export class SavedArguments {
  #list = $state.raw<readonly ArgumentSet[]>(kept())

  /** Those of a tool, by their names. */
  of(server: ServerId, tool: ToolName): ArgumentSet[] {
    return this.#list.filter((saved) => saved.server === server && saved.tool === tool)
  }

  /** Keeps arguments; those of the same name make way. Without room for one more nothing is kept; answers whether they are. */
  save(saved: ArgumentSet): boolean {
    const name = saved.name.slice(0, LONGEST_NAME)
    const others = this.#without(saved.server, saved.tool, name)
    const ofTool = others.filter(
      (other) => other.server === saved.server && other.tool === saved.tool,
    )
    if (name === '' || ofTool.length >= MOST) return false
    return this.#keep(
      [...others, { ...saved, name }].sort((one, other) => one.name.localeCompare(other.name)),
    )
  }

  remove(server: ServerId, tool: ToolName, name: string): void {
    this.#keep(this.#without(server, tool, name))
  }

  #without(server: ServerId, tool: ToolName, name: string): ArgumentSet[] {
    return this.#list.filter(
      (saved) => saved.server !== server || saved.tool !== tool || saved.name !== name,
    )
  }

  #keep(list: readonly ArgumentSet[]): boolean {
    try {
      localStorage.setItem(KEPT_AS, JSON.stringify(list))
    } catch {
      // There is no room left for this page; what was kept stays.
      return false
    }
    this.#list = list
    return true
  }
}

function kept(): ArgumentSet[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? '[]')
    return Array.isArray(value) ? value.filter(isSet) : []
  } catch {
    return []
  }
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
