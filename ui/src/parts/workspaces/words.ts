/** Names of workspaces. The first one has none until a person gives it one. */
import { m } from '../../messages'
import type { WorkspaceView } from '../../host/types.gen'

/** What a workspace is called here. */
export function nameOf(workspace: Pick<WorkspaceView, 'name'>): string {
  return workspace.name === '' ? m('workspaces.first') : workspace.name
}
