/** Promises of "would this be allowed, and why?". */
import { WINDOW } from '../../src/host/fake/callers'
import { cleanup, screen } from '@testing-library/svelte'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import type { FakeHost, Reply } from '../../src/host/fake'
import { fullWorld } from '../../src/host/fake/sample'
import type {
  EnforcementPointVerdict,
  DryRun,
  DryRunResult,
  DryRunVerdict,
} from '../../src/host/types.gen'
import { to } from '../../src/state/router.svelte'
import Policy from '../../src/views/Policy.svelte'
import { connected, leave } from '../ours'
import { render, stores, until } from '../support'

afterEach(() => {
  cleanup()
  leave()
})

/** What would become of a call, and what the rules say before it. */
const would = (
  verdict: DryRunVerdict,
  call: Partial<EnforcementPointVerdict> = {},
  more: Partial<DryRunResult> = {},
): DryRunResult => ({
  verdict,
  hooks: [{ hook: 'call', forbid: [], ask: [], allow: [], ...call }],
  grant: null,
  ...more,
})
const RUNS = would({ kind: 'allow' }, { allow: ['rule-0000000000000003'] })
const ASKS = would({ kind: 'ask', reason: { kind: 'not_allowed_yet' } })

async function open(
  at: string[] = [],
  reply: Reply<'test_policy'> = RUNS,
): Promise<{ host: FakeHost; user: UserEvent }> {
  const host = await connected((world) => Object.assign(world, fullWorld()), {
    test_policy: reply,
  })
  stores.router.go(to('policy', ['try', ...at]))
  render(Policy)
  await screen.findByLabelText('Who would ask')
  return { host, user: userEvent.setup() }
}

const answer = (): string =>
  screen.getByRole('region', { name: 'What would become of it' }).textContent
const says = (text: string): Promise<void> => until(() => expect(answer()).toContain(text))
const suppositions = (host: FakeHost): DryRun[] =>
  host.asked
    .filter(({ method }) => method === 'test_policy')
    .map(({ params }) => (params as { call: DryRun }).call)

it('nothing is asked until there is a call, and nothing ever runs', async () => {
  const { host, user } = await open()
  expect(answer()).toContain('Think of a call')
  await user.selectOptions(screen.getByLabelText('Server'), 'currency')
  await until(() => expect(screen.getByLabelText<HTMLSelectElement>('Tool').disabled).toBe(false))
  expect(suppositions(host)).toEqual([])
  await user.selectOptions(screen.getByLabelText('Tool'), 'get_exchange_rate')
  await user.type(screen.getByLabelText(/^base/), 'USD')
  await says('Would run without asking')
  await until(() =>
    expect(suppositions(host).at(-1)).toEqual({
      caller: WINDOW,
      server: 'currency',
      tool: 'get_exchange_rate',
      arguments: { base: 'USD' },
      from_strangers: false,
    }),
  )
  expect(host.asked.some(({ method }) => method === 'call_tool')).toBe(false)
})

it('a refusal names the hook and the rule that decided, with the way to it', async () => {
  const rules = ['rule-0000000000000001']
  const reason = 'Contracts are written by people.'
  const { host, user } = await open(['files', 'write_file'], ({ call }) =>
    call.from_strangers
      ? would(
          { kind: 'deny', refusal: { kind: 'forbidden', rules, by: 'person', reason } },
          { forbid: rules },
        )
      : ASKS,
  )
  await user.type(await screen.findByLabelText(/^path/), '/home/ada/Documents/contracts/a')
  await user.click(screen.getByLabelText('Suppose that a value came from untrusted content'))
  await says('Would not be allowed')
  expect(suppositions(host).at(-1)).toMatchObject({
    arguments: { path: '/home/ada/Documents/contracts/a' },
    from_strangers: true,
  })
  expect(answer()).toContain(reason)
  const link = screen.getByRole('link', { name: /^Never run.*Documents\/contracts/ })
  expect(link.getAttribute('href')).toBe(to('policy', ['rules', 'rule-0000000000000001']))
  expect(link.closest('li')?.querySelector('h4')?.textContent).toBe('Before a tool is called')
})

it('rules that cannot be read refuse everything', async () => {
  const problem = { place: '/etc/policy.cedar', line: 7, column: 12, problem: 'unexpected token' }
  await open(
    ['currency', 'get_exchange_rate'],
    would({ kind: 'deny', refusal: { kind: 'rules_broken', problem } }),
  )
  await says('Would not be allowed')
})

it('the answer follows the rules and the approvals', async () => {
  const { host } = await open(['files', 'list_directory'], ASKS)
  await says('You would be asked')
  expect(answer()).toContain('No approval covers it.')
  host.reply('test_policy', RUNS)
  host.publish({ kind: 'policy_changed' })
  await says('Would run without asking')
  const grant = fullWorld().grants[0]!
  host.reply('test_policy', would({ kind: 'allow' }, {}, { grant }))
  host.publish({ kind: 'grant_made', grant })
  await says('One of your approvals covers it.')
  expect(screen.getByRole('link', { name: 'See it' }).getAttribute('href')).toBe(
    to('approvals', [grant.id]),
  )
})

it('a host that cannot say so says why', async () => {
  const host = await connected((world) => void Object.assign(world, fullWorld()))
  host.failNext('test_policy', 'database_locked')
  stores.router.go(to('policy', ['try', 'currency', 'get_exchange_rate']))
  render(Policy)
  expect((await screen.findByRole('alert')).textContent).toContain('The database is locked')
})

it('what was typed stays when the tools are listed again, and goes with another definition', async () => {
  const { host, user } = await open(['currency', 'get_exchange_rate'])
  const base = await screen.findByLabelText<HTMLInputElement>(/^base/)
  await user.type(base, 'USD')
  const listed = () => host.asked.filter(({ method }) => method === 'list_tools').length
  const before = listed()
  host.publish({ kind: 'tools_changed', server: 'currency' })
  await until(() => expect(listed()).toBeGreaterThan(before))
  await says('Would run')
  expect(screen.getByLabelText<HTMLInputElement>(/^base/).value).toBe('USD')
  host.reply('list_tools', ({ server }) =>
    fullWorld()
      .tools.filter((tool) => tool.server === server)
      .map((tool) => ({ ...tool, fingerprint: `sha256:${'cd'.repeat(32)}` })),
  )
  host.publish({ kind: 'tools_changed', server: 'currency' })
  await until(() => expect(screen.getByLabelText<HTMLInputElement>(/^base/).value).toBe(''))
})

it('an answer never stands beside a call that it is not about', async () => {
  const { user } = await open(['currency', 'get_exchange_rate'])
  await says('Would run')
  await user.type(screen.getByLabelText(/^base/), 'U')
  expect(answer()).not.toContain('Would run')
  await says('Would run')
  await user.click(screen.getByRole('radio', { name: 'JSON' }))
  await user.type(screen.getByRole('textbox', { name: 'Arguments' }), 'x')
  await says('What was typed is no JSON')
  expect(answer()).not.toContain('Would run')
})
