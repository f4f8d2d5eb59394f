/** What a server can access, as rows for people: what stands out first. */
import type { ConfinementView } from '../../host/types.gen'
import { m } from '../../messages'

/** What a server can do with a file or folder, what stands out first. */
export const ACCESSES = ['withheld', 'change', 'read', 'hidden'] as const
export type Access = (typeof ACCESSES)[number]

/** A file or folder, with what the server can do with it and why. */
export interface PathRow {
  path: string
  access: Access
  why: string
  /** The person added it, and can take it back. */
  chosen: boolean
}

/** All files and folders of which something is to be said. */
export function pathRows({ paths, withheld, hidden, home }: ConfinementView): PathRow[] {
  const rows: PathRow[] = [
    ...withheld.map((path) => row(path, 'withheld', m('sandbox.because.withheld'))),
    ...paths.map(({ path, change, because }) => ({
      ...row(path, change ? 'change' : 'read', m(`sandbox.because.${because}`)),
      chosen: because === 'chosen',
    })),
    ...(home === null ? [] : [row(home, 'change', m('sandbox.because.home'))]),
    ...hidden.map((path) => row(path, 'hidden', m('sandbox.because.hidden'))),
  ]
  return rows.sort((one, other) => ACCESSES.indexOf(one.access) - ACCESSES.indexOf(other.access))
}

const row = (path: string, access: Access, why: string): PathRow => ({
  path,
  access,
  why,
  chosen: false,
})

/** Why a sandbox that is on does not let the server start here; none if it does. */
export function obstacleOf(view: ConfinementView): 'missing' | 'hosts' | 'hidden' | null {
  const { settings, tier, hidden } = view
  if (!settings.confined) return null
  if (tier === null) return 'missing'
  if (tier !== 'namespaces' && settings.network.kind === 'hosts') return 'hosts'
  return tier === 'landlock' && hidden.length > 0 ? 'hidden' : null
}
