/** Why an answer cannot be remembered, in a sentence. */
import type { RememberProblem } from '../../host/types.gen'
import { revealed } from '../../kit/visible'
import { m, number } from '../../messages'

export function notRememberedWords(problem: RememberProblem): string {
  switch (problem.kind) {
    case 'times':
      return m('not_remembered.times', { most: number(problem.most) })
    case 'nothing':
      return m('not_remembered.nothing', { argument: revealed(problem.argument) })
    case 'folder':
      return m('not_remembered.folder', { folder: revealed(problem.folder) })
    default:
      return m(`not_remembered.${problem.kind}`)
  }
}
