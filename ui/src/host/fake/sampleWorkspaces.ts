/** Sample workspaces. */
import type { WorkspaceServer, WorkspaceView } from '../types.gen'
import { HOME } from './sampleGrants'

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
  const client: WorkspaceServer[] = [
    { ...files, roots: ['/home/ada/clients/harbour'], tools_off: ['write_file', 'everything'] },
    { server: 'git-history', on: true, roots: ['/home/ada/clients/harbour'], tools_off: [] },
  ]
  return [
    firstWorkspace(own, 3),
    {
      id: 'workspace-0000000000000002',
      name: 'Harbour authority',
      active: false,
      servers: client,
      grants: 2,
      made_at: MADE + 86_400_000,
    },
    {
      id: 'workspace-0000000000000003',
      name: '家里',
      active: false,
      servers: [],
      grants: 1,
      made_at: MADE + 2 * 86_400_000,
    },
  ]
}
