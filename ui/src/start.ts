/** What both pages do first and last: theme, text size, the texts of one language and the stores on the door to the host; then the page with them in its context. */
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import { mount, type Component } from 'svelte'
import { chooseHost } from './host'
import { closedHost } from './host/closed'
import { asHostError } from './host/error'
import { language } from './messages'
import { inContext, makeStores, type Stores } from './state/stores'
import { chosenTextSize, showTextSize } from './textSize'
import { chosenTheme, showTheme } from './theme'
import './tokens.css'

/** Makes the stores; where there is no way to the host, they say why. */
export async function start(): Promise<Stores> {
  showTheme(chosenTheme())
  showTextSize(chosenTextSize())
  const host = chooseHost().catch((thrown: unknown) => closedHost(asHostError(thrown)))
  await language.load()
  return makeStores(await host)
}

/** Shows a page. */
export function show(page: Component, stores: Stores): void {
  const target = document.getElementById('app')
  if (!target) throw new Error('the page has no #app')
  mount(page, { target, context: inContext(stores) })
}
