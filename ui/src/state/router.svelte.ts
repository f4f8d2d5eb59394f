/**
 * Where in the window the person is; the same as the address's fragment, so that going back works.
 *
 * `#/conversations/ID`, `#/assistants`, `#/servers`, `#/servers/NAME/TAB`, `#/tools/NAME/TOOL?arguments=JSON`, `#/clients/ID/TAB`, `#/activity/SEQ?arguments=JSON`,
 * `#/approvals/ID`, `#/policy/rules/RULE`, `#/policy/try`, `#/workspaces`, `#/settings`. What each shows says the table in `routes.ts`.
 */
import type { RouteName } from '../routes'

/** Where the person is. */
export interface Route {
  /** The first part of the address; empty at the start. It may name no view. */
  view: string
  /** What is looked at in this view, outermost first. */
  path: string[]
  /** Arguments to begin a call with, or the filter to begin a list with. */
  arguments: Record<string, unknown> | null
}

function read(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?')
  const [view = '', ...rest] = path.split('/').map(decode)
  return { view, path: rest.filter(Boolean), arguments: readArguments(query) }
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
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** The address of a route. */
export function to(
  view: RouteName,
  path: (string | number)[] = [],
  args?: Record<string, unknown>,
): string {
  const query = args ? `?arguments=${encodeURIComponent(JSON.stringify(args))}` : ''
  return `#/${[view, ...path].map((part) => encodeURIComponent(part)).join('/')}${query}`
}

export class Router {
  route = $state.raw<Route>(read(location.hash))
  /** What the thing is called that is open; `null` where the view shows all of its kind. */
  title = $state.raw<string | null>(null)

  /** Follows the address, which links and the way back change. The function it gives ends that. */
  follow(): () => void {
    const onchange = (): void => void (this.route = read(location.hash))
    window.addEventListener('hashchange', onchange)
    return () => window.removeEventListener('hashchange', onchange)
  }

  /** Calls the page after what is open in it. The function it gives ends that. */
  entitle(title: string): () => void {
    this.title = title
    return () => {
      if (this.title === title) this.title = null
    }
  }

  /** Goes to a route. */
  go(address: string): void {
    location.hash = address
    this.route = read(address)
  }
}
