/** Who asks, in samples. */
import type { Caller } from '../types.gen'

export const WINDOW: Caller = { kind: 'window', id: 'window', name: 'window' }
export const BROWSER: Caller = { kind: 'browser', id: 'browser', name: 'browser' }
export const TERMINAL: Caller = { kind: 'terminal', id: 'terminal', name: 'terminal' }
export const CLAUDE_CODE: Caller = { kind: 'client', id: 'claude-code', name: 'Claude Code' }
export const RESEARCH: Caller = {
  kind: 'agent',
  id: 'assistant-0000000000000001',
  name: 'Research',
}
