/** A call by hand in a few words. */
import { maybe, shortTime } from '../../messages'
import type { Run } from '../../state/bench.svelte'

/** How it ended. */
export function outcomeWords(run: Run): string {
  const name =
    run.error === null
      ? run.answer?.is_error
        ? 'tool_error'
        : 'done'
      : run.error.code === 'refused' || run.error.code === 'cancelled'
        ? run.error.code
        : 'failed'
  return maybe('outcome', name) ?? name
}

/** When it began and how it ended. */
export function runWords(run: Run): string {
  return `${shortTime(run.began)} · ${outcomeWords(run)}`
}
