/** The window's page. */
import App from './App.svelte'
import { show, start } from './start'

const stores = await start()
stores.session.follow()
stores.router.follow()
show(App, stores)
