/** Everyone who can ask for a call, for lists to choose from. */
import type { Caller } from '../host/types.gen'

export const CALLERS: readonly Caller['kind'][] = ['window', 'terminal']
