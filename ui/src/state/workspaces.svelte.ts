/** The workspaces, as the host last told of them, and the way from one to another. */
import { asHostError } from '../host/error'
import type { HostError, HostEvent, Snapshot, WorkspaceId, WorkspaceView } from '../host/types.gen'
import type { Ask } from './ask'

export class Workspaces {
  readonly #ask: Ask
  /** By name; the first one, which nobody has named yet, at the front. */
  list = $state.raw<WorkspaceView[]>([])
  /** The one that is being switched to. */
  switching = $state<WorkspaceId | null>(null)
  /** Why the last switch did not happen. */
  error = $state.raw<HostError | null>(null)

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** The one in use. */
  get active(): WorkspaceView | undefined {
    return this.list.find((workspace) => workspace.active)
  }

  replace(snapshot: Snapshot): void {
    this.list = snapshot.workspaces
  }

  onEvent(event: HostEvent): void {
    if (event.kind === 'workspaces_changed') this.list = event.workspaces
  }

  /** Uses another workspace. What became of it is in `list` and `error`. */
  async switchTo(workspace: WorkspaceId): Promise<void> {
    if (this.switching !== null || this.active?.id === workspace) return
    this.switching = workspace
    this.error = null
    try {
      const now = await this.#ask('switch_workspace', { workspace })
      this.list = this.list.map((other) =>
        other.id === now.id ? now : { ...other, active: false },
      )
    } catch (thrown) {
      this.error = asHostError(thrown)
    } finally {
      this.switching = null
    }
  }
}
