/** The window's page. */
import { mount } from 'svelte'
import App from './App.svelte'
import { root, start } from './start'
import { session } from './state/session.svelte'

const started = await start()
if ('host' in started) session.connect(started.host)
else session.error = started.error
mount(App, { target: root() })
