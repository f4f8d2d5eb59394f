/** What both pages do first: theme, language, and the door to the host. */
import { chooseHost } from './host'
import { asHostError } from './host/error'
import type { Host } from './host/host'
import type { HostError } from './host/types.gen'
import { language } from './messages'
import { chosenTheme, showTheme } from './theme'
import './tokens.css'

/** The host, or why there is none. */
export type Start = { host: Host } | { error: HostError }

/** Prepares the page. */
export async function start(): Promise<Start> {
  showTheme(chosenTheme())
  document.documentElement.lang = language.current
  try {
    return { host: await chooseHost() }
  } catch (thrown) {
    return { error: asHostError(thrown) }
  }
}

/** The element that everything is shown in. */
export function root(): HTMLElement {
  const app = document.getElementById('app')
  if (!app) throw new Error('the page has no #app')
  return app
}
