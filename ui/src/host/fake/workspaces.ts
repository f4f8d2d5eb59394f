/** Pretended workspaces. */
import { hostError } from '../error'
import type { FakeHost } from '../fake'
import type { Answers, Params } from '../host'
import type { WorkspaceId, WorkspaceServer, WorkspaceView } from '../types.gen'
import { HOME } from './sampleGrants'

type WorkspaceMethod = 'list_workspaces' | 'add_workspace' | 'rename_workspace' | 'remove_workspace' | 'switch_workspace'

const MADE = Date.UTC(2026, 10, 14, 8, 0)

/** The workspace that is there from the beginning. It has no name until it is given one. */
export function firstWorkspace(servers: WorkspaceServer[] = [], grants = 0): WorkspaceView {
  return { id: HOME, name: '', active: true, servers, grants, made_at: MADE }
}

/** Three of them. */
export function sampleWorkspaces(): WorkspaceView[] {
  const files = { server: 'files', on: true, roots: ['/home/ada/Documents'], tools_off: [] }
  const own: WorkspaceServer[] = [
    { server: 'currency', on: true, roots: [], tools_off: [] },
    { ...files, roots: ['/home/ada/Documents', '/media/usb/photos'], tools_off: ['everything'] },
    { server: 'git-history', on: true, roots: [], tools_off: [] },
    { server: 'mail', on: true, roots: [], tools_off: [] },
    { server: 'shipping', on: false, roots: [], tools_off: [] },
  ]
  const client: WorkspaceServer[] = [{ ...files, roots: ['/home/ada/clients/harbour'], tools_off: ['write_file', 'everything'] }, { server: 'git-history', on: true, roots: ['/home/ada/clients/harbour'], tools_off: [] }]
  return [
    firstWorkspace(own, 3),
    { id: 'workspace-0000000000000002', name: 'Harbour authority', active: false, servers: client, grants: 2, made_at: MADE + 86_400_000 },
    { id: 'workspace-0000000000000003', name: '家里', active: false, servers: [], grants: 1, made_at: MADE + 2 * 86_400_000 },
  ]
}

/** Answers all requests about workspaces. */
export function workspaceHandlers(host: FakeHost): { [M in WorkspaceMethod]: (params: Params<M>) => Answers[M] } {
  const find = (id: WorkspaceId): WorkspaceView => {
    const found = host.world.workspaces.find((workspace) => workspace.id === id)
    if (!found) throw hostError('unknown_workspace', `There is no workspace ${id}.`)
    return found
  }
  const free = (name: string, than?: WorkspaceId): string => {
    const wanted = name.trim()
    if (wanted === '' || wanted.length > 64) throw hostError('bad_name', 'This name cannot be used.')
    if (host.world.workspaces.some((other) => other.id !== than && other.name.toLowerCase() === wanted.toLowerCase())) throw hostError('name_taken', `There is a workspace ${wanted} already.`)
    return wanted
  }
  const put = (list: WorkspaceView[]): void => {
    host.world.workspaces = list.sort((a, b) => a.name.localeCompare(b.name))
    host.tell({ kind: 'workspaces_changed', workspaces: host.world.workspaces })
  }
  const changed = (id: WorkspaceId, change: Partial<WorkspaceView>): WorkspaceView => {
    put(host.world.workspaces.map((other) => (other.id === id ? { ...other, ...change } : other)))
    return find(id)
  }
  return {
    list_workspaces: () => host.world.workspaces,
    add_workspace: ({ name, like }) => {
      const servers = like === null ? [] : structuredClone(find(like).servers)
      const id = `workspace-${String(host.world.workspaces.length + 1).padStart(16, '0')}`
      put([...host.world.workspaces, { id, name: free(name), active: false, servers, grants: 0, made_at: Date.now() }])
      return find(id)
    },
    rename_workspace: ({ workspace, name }) => changed(find(workspace).id, { name: free(name, workspace) }),
    remove_workspace: ({ workspace }) => {
      if (find(workspace).active) throw hostError('workspace_in_use', 'It is in use.')
      put(host.world.workspaces.filter((other) => other.id !== workspace))
      return null
    },
    switch_workspace: ({ workspace }) => {
      const next = find(workspace)
      put(host.world.workspaces.map((other) => ({ ...other, active: other.id === workspace })))
      for (const server of host.world.servers.filter((other) => other.reviewed)) {
        const here = next.servers.find((other) => other.server === server.id)
        const on = here?.on ?? false
        host.change(server.id, { on, ...(on ? {} : { state: { kind: 'off' } }), roots: (here?.roots ?? []).map((path) => ({ path, uri: `file://${path}`, present: true })) })
      }
      return find(workspace)
    },
  }
}
