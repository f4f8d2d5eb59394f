/** What the gallery replies to what is done with other applications. */
import { hostError } from '../error'
import type { FakeHost, Replies } from '../fake'
import type { ClientView } from '../types.gen'
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
      const added: ClientView = {
        id,
        name,
        added_at: Date.now(),
        has_token: false,
        seen_at: null,
        connections: [],
      }
      world.clients.clients = [...world.clients.clients, added]
      host.publish({ kind: 'clients_changed' })
      return added
    },
    set_client_token: ({ client, hash }, host) => put(client, host, { has_token: hash !== null }),
    disconnect_client: ({ client }, host) => put(client, host, { connections: [] }),
    remove_client: ({ client }, host) => {
      world.clients.clients = world.clients.clients.filter(({ id }) => id !== client)
      host.publish({ kind: 'clients_changed' })
      return null
    },
  }
}
