/** For parts: what was thrown, as a `HostError`. */
import { asHostError } from '../host/error'
import type { HostError } from '../host/types.gen'

export { asHostError }

/** Does something and gives why it did not work; nothing if it did. */
export async function failureOf(act: () => Promise<unknown>): Promise<HostError | null> {
  try {
    await act()
    return null
  } catch (thrown) {
    return asHostError(thrown)
  }
}
