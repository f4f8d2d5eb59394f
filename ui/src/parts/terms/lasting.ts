/** How long an approval holds, in words. */
import type { Grant, WorkspaceView } from '../../host/types.gen'
import { revealed } from '../../kit/visible'
import { dateTime, m, number, plural } from '../../messages'

/** What a workspace is called; the first one has no name until a person gives it one. */
export function workspaceWords({ name }: Pick<WorkspaceView, 'name'>): string {
  return name === '' ? m('workspaces.first') : revealed(name)
}

/** A sentence; `workspaces` give the name of the one in which it holds. */
export function lastingWords(
  { scope, workspace, used }: Grant,
  workspaces: readonly WorkspaceView[],
): string {
  const held = workspaces.find(({ id }) => id === workspace)
  const where =
    held === undefined || workspaces.length < 2
      ? ''
      : m('lasting.where', { workspace: workspaceWords(held) })
  switch (scope.kind) {
    case 'times':
      return (
        plural('lasting.times', scope.times, { left: number(Math.max(0, scope.times - used)) }) +
        where
      )
    case 'until':
      return m('lasting.until', { time: dateTime(scope.at) }) + where
    case 'conversation':
      return m('lasting.conversation') + where
    case 'workspace':
      return m('lasting.workspace') + where
    case 'always':
      return m(workspaces.length < 2 ? 'lasting.workspace' : 'lasting.always')
  }
}
