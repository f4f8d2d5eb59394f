/** How stores and parts ask the host: the result, or a `HostError` is thrown. */
import type { Host } from '../host/host'

export type Ask = Host['ask']
