import { screen, within } from '@testing-library/svelte'
import { describe, expect, test } from 'vitest'
import App from '../../src/App.svelte'
import { hostError } from '../../src/host/error'
import type { Replies } from '../../src/host/fake'
import { reviewOf } from '../../src/host/fake/launch'
import { emptyWorld } from '../../src/host/fake/sample'
import { importEntry, importOf, manyConfigurations } from '../../src/host/fake/sampleImport'
import { serverActs } from '../../src/host/fake/serverActs'
import type { World } from '../../src/host/fake/world'
import type { ImportServers } from '../../src/host/types.gen'
import { failing } from '../replies'
import { askedFor, open, page, settle } from '../support'

/** The first day, on a computer where other applications keep nine servers. */
function firstDay(): World {
  return { ...emptyWorld(), configurations: manyConfigurations() }
}

async function welcome(replies: Replies = {}) {
  const world = firstDay()
  const opened = await open(App, world, '', { ...serverActs(world), ...replies })
  let clicks = 0
  const click = async (role: string, name: string | RegExp): Promise<void> => {
    clicks += 1
    await opened.person.click(screen.getByRole(role, { name }))
    await settle()
  }
  return { ...opened, world, click, clicks: () => clicks }
}

const box = (name: string): HTMLInputElement => screen.getByRole('checkbox', { name })

test('nine servers of three applications are on after at most twelve clicks, each with the review that was shown', async () => {
  const { click, clicks, host, world } = await welcome()
  expect(page()).toContain('10 servers in Claude Desktop, Cursor, and VS Code')
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  expect(askedFor(host, 'enable_server')).toEqual([])
  for (const name of ['search', 'shell', 'postgres']) {
    await click('button', `What ${name} runs`)
    await click('checkbox', `Switch on ${name}`)
  }
  await click('button', 'Switch on 9 servers')
  expect(clicks()).toBeLessThanOrEqual(12)
  const asked = askedFor<{ server: string; reviewed: string }>(host, 'enable_server')
  expect(asked.length).toBe(9)
  for (const { server, reviewed } of asked)
    expect(reviewed).toBe(world.launches[server]!.fingerprint)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(location.hash).toBe('#/servers')
})

test('what can do anything stands first, is not chosen, and can be chosen only after a look', async () => {
  const { click } = await welcome()
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  const items = within(screen.getByRole('dialog')).getAllByRole('listitem')
  expect(items[0]!.textContent).toContain('shell')
  expect(items[0]!.textContent).toContain('2 dangers')
  expect(items[1]!.textContent).toContain('search')
  expect(box('Switch on shell')).toMatchObject({ checked: false, disabled: true })
  expect(box('Switch on filesystem')).toMatchObject({ checked: true, disabled: false })
  await click('button', 'What shell runs')
  expect(items[0]!.textContent).toContain('more rights than your own')
  expect(box('Switch on shell')).toMatchObject({ checked: false, disabled: false })
})

test('what has a warning is looked at before it can be chosen, unless it only downloads', async () => {
  const { click } = await welcome()
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  expect(box('Switch on postgres')).toMatchObject({ checked: false, disabled: true })
  expect(box('Switch on memory')).toMatchObject({ checked: true, disabled: false })
  await click('button', 'What postgres runs')
  await click('checkbox', 'Switch on postgres')
  expect(screen.getByRole('button', { name: 'Switch on 7 servers' })).toBeTruthy()
})

test('what would run is read whole where it is chosen', async () => {
  const { click } = await welcome()
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  const line = within(screen.getByRole('dialog')).getByText(
    'npx -y @modelcontextprotocol/server-filesystem /home/ada/Documents',
  )
  const shown = line.closest<HTMLElement>('.line')!
  expect(getComputedStyle(shown).textOverflow).not.toBe('ellipsis')
  expect(shown.title).toBe('')
})

test('a server that changes while its review is open is closed, not chosen, and looked at anew', async () => {
  const { click, host, world } = await welcome()
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  await click('button', 'What shell runs')
  await click('checkbox', 'Switch on shell')
  await click('button', 'What github runs')
  const changed = (id: string) => {
    const { launch } = world.launches[id]!
    world.launches[id] = { ...reviewOf(id, launch), fingerprint: `another ${id}` }
    host.publish({
      kind: 'server_changed',
      server: world.servers.find((server) => server.id === id)!,
    })
  }
  changed('shell')
  changed('github')
  await settle()
  expect(box('Switch on shell')).toMatchObject({ checked: false, disabled: true })
  expect(box('Switch on github')).toMatchObject({ checked: false, disabled: true })
  expect(page()).toContain('Changed since you looked. Open the review again.')
  await click('button', 'What github runs')
  await click('checkbox', 'Switch on github')
  expect(box('Switch on github').checked).toBe(true)
})

test('a server of which the host tells nothing new keeps its choice', async () => {
  const { click, host, world } = await welcome()
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  const server = world.servers.find(({ id }) => id === 'github')!
  host.publish({ kind: 'server_changed', server: { ...server } })
  await settle()
  expect(box('Switch on github')).toMatchObject({ checked: true, disabled: false })
})

test('the review of many stays open until all that was chosen is on', async () => {
  let go: () => void = () => undefined
  const held = new Promise<void>((resolve) => (go = resolve))
  const world = firstDay()
  const { click, person } = await welcome({
    enable_server: async ({ server }) => {
      await held
      return { ...world.servers[0]!, id: server, on: true }
    },
  })
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  await click('button', 'Switch on 6 servers')
  await person.keyboard('{Escape}')
  await click('button', 'Close')
  expect(screen.getByRole('dialog', { name: 'Review 9 servers' })).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Leave all off' }).disabled).toBe(
    true,
  )
  go()
  await settle()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the person chooses which applications to import from', async () => {
  const { click, host } = await welcome()
  await click('button', 'Import…')
  const dialog = screen.getByRole('dialog')
  expect(dialog.textContent).toContain('filesystem, memory, notes, and thinking')
  expect(dialog.textContent).toContain('1 more is the same as in an application above.')
  await click('checkbox', 'Claude Desktop')
  await click('checkbox', 'VS Code')
  await click('button', 'Import 3 servers')
  const asked = askedFor<ImportServers>(host, 'import_servers')
  expect(asked.map(({ from }) => from)).toMatchObject([{ kind: 'found', application: 'cursor' }])
  expect(asked[0]!.choices.map(({ source_name }) => source_name)).toEqual([
    'search',
    'github',
    'filesystem',
  ])
})

test('what is here already is not imported again', async () => {
  const world = firstDay()
  const [filesystem] = importOf({ kind: 'found', application: 'claude_desktop', path: '' }).entries
  world.servers.push({
    ...world.servers[0]!,
    id: 'documents',
    launch: filesystem!.review!.launch,
  })
  const { person } = await open(App, world, '#/welcome', serverActs(world))
  await person.click(screen.getByRole('button', { name: 'Import…' }))
  await settle()
  expect(screen.getByRole('dialog').textContent).toContain('1 more is already in Majordomo.')
  expect(screen.getByRole('button', { name: 'Import 8 servers' })).toBeTruthy()
})

describe('a server with a secret', () => {
  const keyed = (secret: string) => ({
    kind: 'stdio' as const,
    command: 'github-mcp',
    args: [],
    env: [
      { name: 'TOKEN', value: { kind: 'secret' as const, secret } },
      { name: 'MODE', value: { kind: 'plain' as const, text: 'read' } },
    ],
    cwd: null,
  })
  const holding = (...names: string[]): Replies => ({
    find_configurations: manyConfigurations().slice(0, 2),
    preview_import: ({ from }) => ({
      format: 'mcpServers',
      entries: names.map((name, place) => {
        const launch = keyed('secret-new')
        // Another application writes its settings in another order.
        if (from.kind === 'found' && from.application === 'cursor') launch.env.reverse()
        return importEntry(place, name, { review: reviewOf(name, launch) })
      }),
    }),
  })

  test('that is here already is recognised, though its secret lies elsewhere now', async () => {
    const world = firstDay()
    world.servers.push({
      ...world.servers[0]!,
      id: 'GitHub',
      launch: keyed('secret-00000000000000b7'),
    })
    const { person } = await open(App, world, '#/welcome', {
      ...serverActs(world),
      ...holding('github', 'other'),
    })
    await person.click(screen.getByRole('button', { name: 'Import…' }))
    await settle()
    expect(page()).toContain('1 more is already in Majordomo.')
    expect(screen.getByRole('button', { name: 'Import 1 server' })).toBeTruthy()
  })

  test('of two applications is imported once, and two accounts of one are two servers', async () => {
    const { click } = await welcome(holding('github work', 'github-private'))
    await click('button', 'Import…')
    expect(page()).toContain('2 more are the same as in an application above.')
    expect(screen.getByRole('button', { name: 'Import 2 servers' })).toBeTruthy()
  })
})

test('a name that was taken by the application before is asked for anew', async () => {
  const { click, host } = await welcome({
    preview_import: ({ from }, { asked }) => {
      const preview = importOf(from)
      const later = asked.some(({ method }) => method === 'import_servers')
      for (const entry of preview.entries) if (later) entry.name = `${entry.source_name}-2`
      return preview
    },
  })
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  const [first, second] = askedFor<ImportServers>(host, 'import_servers')
  expect(first!.choices[0]!.name).toBe('filesystem')
  expect(second!.choices[0]!.name).toBe('search-2')
})

test('an import that stops halfway goes on where it stopped', async () => {
  const { click, host } = await welcome()
  await click('button', 'Import…')
  host.failNext('preview_import', 'import_unreadable')
  await click('button', 'Import 9 servers')
  expect(screen.getByRole('alert')).toBeTruthy()
  await click('button', 'Import 9 servers')
  expect(askedFor(host, 'import_servers').length).toBe(3)
  expect(screen.getByRole('dialog', { name: 'Review 9 servers' })).toBeTruthy()
})

test('a server that does not start says why in its row, and the others are on', async () => {
  const { click, host } = await welcome()
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  host.failNext('enable_server', 'exited_at_start')
  await click('button', 'Switch on 6 servers')
  const dialog = screen.getByRole('dialog')
  expect(within(dialog).getByRole('alert').textContent).toContain('Stopped while starting')
  expect(within(dialog).getAllByText('On').length).toBe(5)
  await click('button', 'Done')
  expect(location.hash).toBe('#/servers')
})

test('a server whose review changed meanwhile is read anew before it is chosen', async () => {
  const { click, host, world } = await welcome()
  await click('button', 'Import…')
  await click('button', 'Import 9 servers')
  const { launch } = world.launches['github']!
  host.reply(
    'review_server',
    reviewOf('github', launch, { dangers: 1, warnings: [{ kind: 'inline_code' }] }),
  )
  host.reply('enable_server', failing(hostError('review_needed', 'not as reviewed')))
  await click('button', 'Switch on 6 servers')
  expect(box('Switch on github')).toMatchObject({ checked: false, disabled: true })
})

test('where no application keeps servers, nothing is offered', async () => {
  await open(App, emptyWorld())
  expect(screen.queryByRole('button', { name: 'Import…' })).toBeNull()
})
