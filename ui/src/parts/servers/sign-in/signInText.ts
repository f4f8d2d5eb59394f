/** The sign-in in words. */
import type { DoctorStep, SignInApprovals, SignInStatus } from '../../../host/types.gen'
import type { IconName } from '../../../kit'
import { m } from '../../../messages'

/** What a person can approve, in the order it is shown. */
export const APPROVALS: readonly (keyof SignInApprovals)[] = [
  'foreign_endpoints',
  'without_pkce',
  'legacy_endpoints',
  'without_keyring',
]

/** Nothing is approved. */
export const NOTHING_APPROVED: Required<SignInApprovals> = {
  foreign_endpoints: false,
  without_pkce: false,
  legacy_endpoints: false,
  without_keyring: false,
}

/** The drawing and tone of a state; its word says the same. */
export function lookOf(state: SignInStatus): {
  tone: 'neutral' | 'good' | 'warn' | 'bad' | 'info'
  icon: IconName
} {
  switch (state.kind) {
    case 'signed_in':
      return { tone: 'good', icon: 'check' }
    case 'signed_out':
      return { tone: 'neutral', icon: 'off' }
    case 'wanted':
      return { tone: 'warn', icon: 'key' }
    case 'preparing':
    case 'waiting':
      return { tone: 'info', icon: 'clock' }
    case 'failed':
      return { tone: 'bad', icon: 'error' }
  }
}

/** A step of finding out how to sign in, in words. */
export function stepWords({ what, problem }: DoctorStep): {
  what: string
  problem?: string
  remedy?: string
} {
  if (problem === null) return { what: m(`doctor.what.${what}`) }
  return {
    what: m(`doctor.what.${what}`),
    problem: m(`doctor.problem.${problem}`),
    remedy: m(`doctor.remedy.${problem}`),
  }
}
