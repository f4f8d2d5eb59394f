/** A tool's hints in short words. They are claims of its server and grant nothing. */
import { holdsWords } from '../../kit/search'
import { m, maybe } from '../../messages'
import type { ToolSpec } from '../../host/types.gen'
import { isIdle } from '../terms/hints'
import { wholeTitle } from '../terms/toolTitle'

/** The hints that are said, each in a few words. */
export function claimsOf(spec: ToolSpec): string[] {
  const reads = spec.annotations?.['readOnlyHint'] === true
  return Object.entries(spec.annotations ?? {})
    .filter(([name, value]) => typeof value === 'boolean' && !(reads && isIdle(name, value)))
    .map(([name, value]) => maybe('tools.hint', value === true ? name : `not_${name}`))
    .filter((words) => words !== undefined)
}

/** Whether a tool answers to a search: all words, in its name, title or description. */
export function answersTo(spec: ToolSpec, search: string): boolean {
  if (search === '') return true
  return holdsWords(`${spec.name} ${wholeTitle(spec) ?? ''} ${spec.description ?? ''}`, search)
}

/** The names that other servers give the same tool by, as a sentence. */
export function alsoOn(servers: readonly string[]): string {
  return m('tools.also_on', { servers: servers.join(', ') })
}
