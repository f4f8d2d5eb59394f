/** What happened since this page was opened. Older rows are asked for by the view that shows them. */
import type { ActivityRow, HostEvent } from '../host/types.gen'

const ROWS_KEPT = 500

export class Activity {
  /** New and changed rows, the newest change first. */
  recent = $state.raw<ActivityRow[]>([])
  /** Counted up when rows may have been missed: ask again. */
  changed = $state(0)

  replace(): void {
    this.changed += 1
  }

  onEvent(event: HostEvent): void {
    if (event.kind !== 'activity_changed') return
    this.recent = [event.row, ...this.recent.filter((row) => row.seq !== event.row.seq)].slice(
      0,
      ROWS_KEPT,
    )
  }
}
