/** What a review warns of, as far as it decides what may be done at once. Pure. */
import type { Review, ReviewWarning } from '../../host/types.gen'

/** How much a person should look at twice. */
export interface WarningCounts {
  dangers: number
  /** Those that are no dangers. */
  warnings: number
}

/** How many warnings there are of each gravity; none where nothing is known. */
export function warningCounts(review: Review | null): WarningCounts {
  const dangers = review?.dangers ?? 0
  return { dangers, warnings: (review?.warnings.length ?? 0) - dangers }
}

/** Whether something has to be read before this may run. Most servers are downloaded: that alone stands out in none. */
export function standsOut({ warnings }: Review): boolean {
  return warnings.some(({ kind }) => kind !== 'downloads')
}

const CANNOT_START: readonly ReviewWarning['kind'][] = ['not_found', 'runtime_missing']

/** Whether it would only fail. */
export function cannotStart({ warnings }: Review): boolean {
  return warnings.some(({ kind }) => CANNOT_START.includes(kind))
}
