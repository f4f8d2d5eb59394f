/** The window's page. */
import App from './App.svelte'
import { loadAhead } from './routes'
import { show, start } from './start'

const stores = await start()
stores.session.follow()
stores.router.follow()
show(App, stores)

// The first room comes first.
setTimeout(() => void loadAhead(), 1_000)
