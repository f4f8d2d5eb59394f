/** What is wrong with a field, in words. */
import { m } from '../../messages'
import type { Problem } from './formProblems'

export function problemWords(problem: Problem | null): string | null {
  if (problem === null) return null
  const { kind, ...particulars } = problem
  return m(`form.problem.${kind}`, particulars)
}
