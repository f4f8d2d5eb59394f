/** Whether a pretended approval lets a call through. */
import type { Grant, ToolView } from '../types.gen'
import { fakeFingerprint } from './launch'

/** Bound to the server, to the whole definition of the tool and, where the person said so, to the arguments. */
export function covers(grant: Grant, tool: ToolView, args: Record<string, unknown>): boolean {
  if (grant.revoked_at !== null || grant.server !== tool.server || grant.tool_fingerprint !== tool.fingerprint) return false
  return grant.scope.kind !== 'arguments' || grant.scope.fingerprint === fakeFingerprint(args)
}
