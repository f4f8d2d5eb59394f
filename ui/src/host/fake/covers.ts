/** Whether a pretended approval covers a call, as the real host has it. */
import type { Allowed, Cover, Covered, Grant, ToolView } from '../types.gen'
import { fakeFingerprint } from './launch'

/** Bound to the server, to the whole definition of the tool and to the arguments that were chosen. */
export function covers(grant: Grant, tool: ToolView, args: Record<string, unknown>): boolean {
  const same = grant.server === tool.server && grant.tool.name === tool.spec.name && grant.tool_fingerprint === tool.fingerprint
  return same && holds(grant) && coversArguments(grant.arguments, args)
}

function holds({ revoked_at, scope, used }: Grant): boolean {
  if (revoked_at !== null) return false
  if (scope.kind === 'times') return used < scope.times
  return scope.kind !== 'until' || Date.now() < scope.at
}

/** What a choice covers, for a call with these arguments. */
export function coveredOf(cover: Cover, args: Record<string, unknown>): Covered {
  if (cover.kind === 'any') return { kind: 'any' }
  if (cover.kind === 'exactly') return { kind: 'exactly', fingerprint: fakeFingerprint(args), shown: args }
  const limits = cover.limits.map(({ argument, allowed }) => {
    const value = args[argument] ?? null
    return { argument, allowed: allowed === null || allowed.kind === 'same' ? { kind: 'same' as const, fingerprint: fakeFingerprint(value), shown: value } : allowed }
  })
  return { kind: 'within', limits }
}

/** Whether these arguments are covered; one without a limit is not. */
export function coversArguments(covered: Covered, args: Record<string, unknown>): boolean {
  if (covered.kind === 'any') return true
  if (covered.kind === 'exactly') return covered.fingerprint === fakeFingerprint(args)
  return Object.entries(args).every(([name, value]) => {
    const limits = covered.limits.filter(({ argument }) => argument === name)
    return limits.length > 0 && limits.every(({ allowed }) => keepsTo(allowed, value))
  })
}

function keepsTo(allowed: Allowed, value: unknown): boolean {
  const texts = typeof value === 'string' ? [value] : Array.isArray(value) ? (value as unknown[]) : []
  const each = (well: (text: string) => boolean): boolean => texts.length > 0 && texts.every((text) => typeof text === 'string' && well(text))
  switch (allowed.kind) {
    case 'anything':
      return true
    case 'same':
      return allowed.fingerprint === fakeFingerprint(value)
    case 'one_of':
      return each((text) => allowed.values.includes(text))
    case 'under':
      return each((text) => text === allowed.folder || text.startsWith(`${allowed.folder}/`))
    case 'hosts':
      return each((text) => allowed.hosts.includes(hostOf(text) ?? ''))
    case 'at_most':
      return typeof value === 'number' && value <= allowed.number
  }
}

function hostOf(text: string): string | null {
  try {
    return new URL(text).host
  } catch {
    return null
  }
}
