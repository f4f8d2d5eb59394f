import { render, screen, within } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import { hostError } from '../src/host/error'
import { reviewOf } from '../src/host/fake/launch'
import { confinementView, unconfined } from '../src/host/fake/sampleConfinement'
import type { Launch, Review, Runtime } from '../src/host/types.gen'
import { errorWords, warningWords } from '../src/messages/errors'
import ReviewBody from '../src/parts/servers/ReviewBody.svelte'

function shown(launch: Launch, change: Partial<Review> = {}): void {
  render(ReviewBody, { review: reviewOf('a', launch, change) })
}

const command = (words: string[], env: Record<string, string> = {}): Launch => ({
  kind: 'stdio',
  command: words[0] as string,
  args: words.slice(1),
  env: Object.entries(env).map(([name, text]) => ({ name, value: { kind: 'plain', text } })),
  cwd: null,
})

test('dangers stand apart from what is only to be looked at twice', () => {
  shown(command(['npx', '-y', 'server'], { LD_PRELOAD: 'x' }), {
    warnings: [{ kind: 'dangerous_environment', name: 'LD_PRELOAD' }, { kind: 'downloads' }],
    dangers: 1,
  })
  const danger = screen.getByRole('alert')
  expect(danger.textContent).toContain('Dangerous')
  expect(danger.textContent).toContain('The variable LD_PRELOAD changes which code is loaded.')
  expect(danger.textContent).not.toContain('downloads')
  expect(screen.getByRole('status').textContent).toContain('It downloads what it runs')
})

test('an ordinary command is called dangerous by nothing', () => {
  shown(command(['node', 'server.js']))
  expect(screen.queryByRole('alert')).toBeNull()
})

test('case 12: every argument and value is there whole, and what cannot be seen is shown as a mark', () => {
  const long = 'x'.repeat(20_000)
  shown(command(['x', long, `first${'\n'.repeat(300)}last`, 'safe\u202eexe'], { LONG: long }))
  const items = within(screen.getByRole('list', { name: 'Arguments' })).getAllByRole('listitem')
  expect(items.length).toBe(3)
  expect(items[0]?.textContent).toContain(long)
  expect(items[1]?.textContent).toContain('last')
  expect(items[2]?.textContent).toContain('U+202E')
  expect(document.body.textContent.split(long).length).toBe(3)
})

test('a value that is still to be filled in is named by its place', () => {
  expect(warningWords({ kind: 'placeholder', name: 'API_TOKEN' })).toContain(
    'API_TOKEN needs a value',
  )
  expect(warningWords({ kind: 'placeholder', name: 'argument 2' })).toContain(
    'Argument 2 needs a value',
  )
})

test.each<[Runtime, string]>([
  ['node', 'Node.js (https://nodejs.org/)'],
  ['uv', 'uv (https://docs.astral.sh/uv/)'],
  ['docker', 'Docker (https://docs.docker.com/get-docker/)'],
])('a missing runtime is named with the place to get it: %s', (runtime, words) => {
  expect(errorWords({ ...hostError('runtime_missing', 'it is missing'), runtime }).text).toContain(
    words,
  )
  expect(warningWords({ kind: 'runtime_missing', runtime })).toContain(words)
})

test('what runs behind a command is named, and what could not be read is said', () => {
  const identity: Review['identity'] = {
    program: { path: '/usr/bin/npx' },
    package: { name: 'files-server', version: '1.0.1', lock_sha256: 'ab'.repeat(32), parts: 111 },
    image: { reference: 'files@sha256:00', pinned: true },
    modules: { sha256: 'cd'.repeat(32), files: 3 },
    unread: [{ piece: 'script', at: '/srv/server.js', reason: 'too_large' }],
  }
  shown(command(['npx', 'files-server']), { identity })
  const rows = document.body.textContent
  expect(rows).toContain('files-server · 1.0.1 · 111 packages in all · content abababababab')
  expect(rows).toContain('files@sha256:00 · exactly this content')
  expect(rows).toContain('3 files · content cdcdcdcdcdcd')
  expect(rows).toContain('Code that Majordomo could not read')
  expect(rows).toContain('Script (/srv/server.js): too large to be read')
  expect(screen.queryByText('Not what you reviewed')).toBeNull()
})

test('what is not what was reviewed stands on top, with both sides', () => {
  const changes: Review['changes'] = [
    { piece: 'package_version', before: '1.0.0', now: '1.0.1' },
    { piece: 'program', before: 'ab12', now: '' },
  ]
  shown(command(['npx', 'files-server']), { changes })
  const alert = screen.getByRole('alert')
  expect(alert.textContent).toContain('Not what you reviewed')
  expect(alert.textContent).toMatch(/Version of the package:\s*1\.0\.0\s*→\s*1\.0\.1/)
  expect(alert.textContent).toMatch(/Content of the program:\s*ab12\s*→\s*not found/)
})

test('a command that runs in a sandbox is said to, with what it can access, what stands out first', () => {
  const path = (name: string, change = false) =>
    ({ path: name, change, because: 'argument' }) as const
  shown(command(['npx', 'server']), {
    confinement: confinementView({
      paths: [path('/a/read'), ...Array.from({ length: 9 }, (_, at) => path(`/a/${at}`, true))],
      withheld: ['/home/ada'],
    }),
  })
  const said = document.body.textContent
  expect(said).toContain('in a sandbox')
  expect(said).not.toContain('with your rights')
  const labels = ['Not given', 'Read and change', 'Read only', 'Connects to']
  const places = labels.map((label) => said.indexOf(label))
  expect(places).toEqual([...places].sort((one, other) => one - other))
  expect(screen.getByText('5 more').closest('details')!.open).toBe(false)
  expect(said).toMatch(/Connects to\s*Nothing/)
  expect(screen.queryByRole('status')).toBeNull()
})

test('a command that runs without a sandbox is warned of', () => {
  shown(command(['npx', 'server']), { confinement: unconfined() })
  expect(screen.getByRole('status').textContent).toContain('Off: this server can do whatever you')
  expect(document.body.textContent).toContain('with your rights')
})

test('a command that this computer cannot sandbox is said not to start', () => {
  shown(command(['npx', 'server']), { confinement: confinementView({ tier: null }) })
  expect(screen.getByRole('status').textContent).toContain('so it does not start')
})
