/**
 * Where in the window the person is; the same as the address's fragment, so that going back works.
 *
 * `#/servers`, `#/servers/NAME/TAB`, `#/tools/NAME/TOOL?arguments=JSON`, `#/activity/SEQ`, `#/approvals/ID`,
 * `#/policy/rules/RULE`, `#/policy/try`, `#/workspaces`, `#/settings`.
 */

/** The rooms of the window. */
export const VIEWS = ['servers', 'tools', 'activity', 'approvals', 'policy', 'settings'] as const
/** Places that are reached from a room. */
const BESIDE = ['welcome', 'workspaces'] as const
export type View = (typeof VIEWS)[number]
export type Beside = (typeof BESIDE)[number]

/** A place in the window. */
export interface Place {
  view: View | Beside | 'start'
  /** What is looked at in this view, outermost first. */
  path: string[]
  /** Arguments to begin a call with. */
  arguments: Record<string, unknown> | null
}

function read(fragment: string): Place {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?')
  const [first = '', ...rest] = path.split('/').map(decode)
  const known = [...VIEWS, ...BESIDE].find((view) => view === first) as Place['view'] | undefined
  return { view: known ?? 'start', path: known ? rest.filter(Boolean) : [], arguments: readArguments(query) }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function readArguments(query: string): Record<string, unknown> | null {
  const text = new URLSearchParams(query).get('arguments')
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** The address of a place. */
export function to(view: View | Beside, path: (string | number)[] = [], args?: Record<string, unknown>): string {
  const query = args ? `?arguments=${encodeURIComponent(JSON.stringify(args))}` : ''
  return `#/${[view, ...path].map((part) => encodeURIComponent(part)).join('/')}${query}`
}

class Here {
  now = $state.raw<Place>(read(location.hash))

  constructor() {
    window.addEventListener('hashchange', () => {
      this.now = read(location.hash)
    })
  }

  /** Goes to a place. */
  go(address: string): void {
    location.hash = address
    this.now = read(address)
  }
}

export const here = new Here()
