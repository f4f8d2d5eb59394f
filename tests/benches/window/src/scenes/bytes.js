// From now on, counts the characters of what the host tells the page by itself, and of what it replies.
window.told = 0
const internals = window.__TAURI_INTERNALS__
const handler = internals.transformCallback((event) => (window.told += JSON.stringify(event).length))
void internals.invoke('plugin:event|listen', { event: 'host-event', target: { kind: 'Any' }, handler })
const given = window.fetch.bind(window)
window.fetch = async (...request) => {
  const reply = await given(...request)
  if (String(request[0]).includes('rpc')) window.told += (await reply.clone().text()).length
  return reply
}
