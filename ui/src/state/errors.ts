/** For parts: what was thrown, as a `HostError`. */
export { asHostError } from '../host/error'
