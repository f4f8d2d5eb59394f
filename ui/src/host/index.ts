/** Chooses the door: the window's, the headless host's, or, while developing, the pretended one. */
import { hostError } from './error'
import type { Host } from './host'
import { beginAnewWithNewToken, httpHost, takeToken } from './http'
import { inTauri, tauriHost } from './tauri'

/** The host of this page; throws a `HostError` if there is no way to one. */
export async function chooseHost(): Promise<Host> {
  // The condition is a constant in a built page: the fake is not in it.
  if (import.meta.env.DEV && new URLSearchParams(location.search).get('host') === 'fake') {
    return (await import('./fake/gallery')).galleryHost()
  }
  if (inTauri()) return tauriHost()
  beginAnewWithNewToken()
  const token = takeToken()
  if (token === null)
    throw hostError('needs_sign_in', 'This page was opened without the token of its host.')
  return httpHost(token)
}
