/** What the gallery replies to what is done with other applications. */
import { hostError } from '../error'
import type { FakeHost, Replies } from '../fake'
import type { ApplicationView, ClientChange, ClientSettings, ClientView } from '../types.gen'
import { samplePreview } from './sampleApplications'
import { newClient } from './sampleClients'
import type { World } from './world'

/** Letting applications in, and sending them away. */
export function clientActs(world: World): Replies {
  const put = (id: string, host: FakeHost, change: Partial<ClientView>): ClientView => {
    const known = world.clients.clients.find((one) => one.id === id)
    if (!known) throw hostError('unknown_client', `There is no application ${id}.`)
    const now = { ...known, ...change }
    world.clients.clients = world.clients.clients.map((one) => (one.id === id ? now : one))
    host.publish({ kind: 'clients_changed' })
    return now
  }
  return {
    add_client: ({ name }, host) => {
      const id = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
      const added = { ...newClient(id, name), added_at: Date.now() }
      world.clients.clients = [...world.clients.clients, added]
      host.publish({ kind: 'clients_changed' })
      return added
    },
    set_client_token: ({ client, hash }, host) => put(client, host, { has_token: hash !== null }),
    change_client: ({ client, change }, host) => {
      const known = world.clients.clients.find(({ id }) => id === client)
      return put(client, host, known ? { settings: changed(known.settings, change) } : {})
    },
    disconnect_client: ({ client }, host) => put(client, host, { connections: [] }),
    remove_client: ({ client }, host) => {
      world.clients.clients = world.clients.clients.filter(({ id }) => id !== client)
      host.publish({ kind: 'clients_changed' })
      return null
    },
  }
}

/** Connecting applications on this computer. */
export function applicationActs(world: World): Replies {
  const of = (path: string): ApplicationView => {
    const found = world.applications.find((one) => one.path === path)
    if (!found) throw hostError('bad_request', `No application keeps its servers in ${path}.`)
    return found
  }
  const put = (path: string, change: Partial<ApplicationView>): ApplicationView => {
    const now = { ...of(path), ...change }
    world.applications = world.applications.map((one) => (one.path === path ? now : one))
    return now
  }
  return {
    preview_connection: ({ path, without }) => samplePreview(of(path), true, without),
    preview_disconnection: ({ path }) => samplePreview(of(path), false),
    connect_application: ({ path, without }) => {
      world.bypasses = world.bypasses.filter(
        (one) => one.path !== path || !without.includes(one.source_name),
      )
      return put(path, { connection: { kind: 'written' }, backup: `${path}.before` })
    },
    disconnect_application: ({ path }) =>
      put(path, { connection: { kind: 'not_connected' }, client: null, backup: null }),
  }
}

function changed(settings: ClientSettings, change: ClientChange): ClientSettings {
  switch (change.kind) {
    case 'mode':
      return { ...settings, mode: change.mode }
    case 'tools':
      return { ...settings, tools: change.tools }
    case 'workspace':
      return { ...settings, workspace: change.workspace }
    case 'own_tools':
      return { ...settings, own_tools: change.on }
  }
}
