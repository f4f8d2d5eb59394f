/** Promises of the policy page: what holds is read in words, and what lets more happen is a question first. */
import { cleanup, screen, within } from '@testing-library/svelte'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { hostError } from '../../src/host/error'
import type { FakeHost, Replies } from '../../src/host/fake'
import {
  ANY,
  brokenRules,
  manyRules,
  noRules,
  ruleOf,
  someRules,
} from '../../src/host/fake/samplePolicy'
import type { World } from '../../src/host/fake/world'
import type { PolicyView, Rule, RuleDraft } from '../../src/host/types.gen'
import { language } from '../../src/messages'
import { draftSentence, plain, ruleSentence } from '../../src/parts/policy/sentence'
import { to } from '../../src/state/router.svelte'
import Policy from '../../src/views/Policy.svelte'
import { connected, leave, toolView } from '../ours'
import { failing, held, refused } from '../replies'
import { render, stores, until } from '../support'

afterEach(() => {
  cleanup()
  leave()
  language.choose('system')
})

async function open(
  change: (world: World) => void = (world) => (world.policy = someRules()),
  at = to('policy'),
  replies: Replies = {},
): Promise<{ host: FakeHost; user: UserEvent }> {
  const host = await connected(change, replies)
  stores.router.go(at)
  render(Policy)
  await screen.findByText('Your rules')
  return { host, user: userEvent.setup() }
}

const asked = <T>(host: FakeHost, method: string): T[] =>
  host.asked.filter((request) => request.method === method).map(({ params }) => params as T)
/** Rules of which the person's are these, or all but these. */
const withMine = (...rules: Rule[]): PolicyView => ({
  layers: noRules().layers.map((layer) => (layer.layer === 'person' ? { ...layer, rules } : layer)),
})
const without = (id: string): PolicyView =>
  withMine(...someRules().layers[2]!.rules.filter((rule) => rule.id !== id))
/** What a preview replies: the draft, with a text of it. */
const made = (draft: RuleDraft): Rule =>
  ruleOf('rule-1', draft, `@reason(${JSON.stringify(draft.reason)})`)

const press = (user: UserEvent, name: string): Promise<void> =>
  user.click(screen.getByRole('button', { name }))

describe('a rule as a sentence', () => {
  const says = (draft: Partial<RuleDraft>): string => plain(draftSentence({ ...ANY, ...draft }))

  it('says what, for whom and when, in English', () => {
    language.choose('en')
    expect([
      says({}),
      says({ server: 'files', tool: 'write_file', caller: { kind: 'terminal', id: null } }),
      says({
        effect: 'ask',
        server: 'mail',
        when: [{ kind: 'from_strangers' }, { kind: 'to_hosts', hosts: ['a.example', 'b.example'] }],
      }),
      says({
        effect: 'allow',
        server: 'files',
        when: [{ kind: 'in_folder', folder: '/home/ada/notes' }],
      }),
      says({ hook: 'return', when: [{ kind: 'found', what: 'credentials' }] }),
    ]).toEqual([
      'Never run any tool.',
      'Never run write_file of files for the terminal.',
      'Ask me each time before running any tool of mail, if a value came from untrusted content and it goes to a.example or b.example.',
      'Run any tool of files without asking, if a path lies in /home/ada/notes.',
      'Never hand on what any tool returns, if credentials were found in it.',
    ])
  })

  it('says the same in Chinese', () => {
    language.choose('zh-CN')
    expect([
      says({ server: 'files', tool: 'write_file', caller: { kind: 'terminal', id: null } }),
      says({
        effect: 'ask',
        server: 'mail',
        when: [{ kind: 'from_strangers' }, { kind: 'remote' }],
      }),
    ]).toEqual([
      '终端请求时，绝不运行 files 的“write_file”工具。',
      '如果有值来自不受信任的内容，并且该服务器通过网络访问，每次运行 mail 的任何工具之前都询问我。',
    ])
  })

  it('writes out what cannot be seen in a name', () => {
    language.choose('en')
    expect(says({ server: 'files', tool: 'write\u200b_file' })).toBe(
      'Never run write⟨U+200B⟩_file of files.',
    )
  })

  it('keeps names of others apart from our words', () => {
    language.choose('en')
    expect(draftSentence({ ...ANY, server: 'files', tool: 'a {server} b' })).toContainEqual({
      name: 'a {server} b',
    })
  })

  it('of somebody else only says what it is about', () => {
    language.choose('en')
    expect(
      someRules()
        .layers.slice(0, 2)
        .map(({ rules }) => plain(ruleSentence(rules[0]!))),
    ).toEqual([
      'Anything not forbidden may run, but you are asked first unless you approved it.',
      'Never runs certain tools. The text says which.',
    ])
  })
})

describe('the layers', () => {
  it('stand in the order in which they are read, and only the person’s rules can be removed', async () => {
    await open()
    const layers = screen
      .getAllByRole('region')
      .filter((region) => region.tagName === 'SECTION' && region.id !== 'main')
    expect(layers.map((layer) => within(layer).getByRole('heading').textContent)).toEqual([
      'Majordomo',
      'Administrator',
      'Your rules',
    ])
    expect(
      layers.map((layer) => within(layer).queryAllByRole('button', { name: /^Remove/ }).length),
    ).toEqual([0, 0, 6])
    expect(layers[1]!.textContent).toContain('/etc/majordomo/policy.cedar')
    expect(layers[1]!.textContent).toContain('Shells are for the administrators.')
  })

  it('a file that cannot be read says where, and that nothing runs', async () => {
    await open((world) => (world.policy = brokenRules()))
    const alert = screen.getByRole('alert').textContent
    for (const said of [
      'nothing runs while this is so',
      '/etc/majordomo/policy.cedar',
      'Line 7, column 12',
      'unexpected token `principle`',
    ])
      expect(alert).toContain(said)
  })

  it('a file that is not there is no problem', async () => {
    await open((world) => (world.policy = noRules()))
    expect(screen.getByText('No file')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('the text of a rule is shown on demand', async () => {
    const { user } = await open()
    expect(document.body.textContent).not.toContain('pastebin.example","paste')
    await user.click(screen.getAllByText('Show text').at(-1)!)
    expect(
      await screen.findByText(/containsAny\(\["pastebin\.example","paste\.example\.net"\]\)/),
    ).toBeTruthy()
  })

  it('rules that cannot be shown are asked for again', async () => {
    const host = await connected()
    host.failNext('show_policy', 'database_locked')
    stores.router.go(to('policy'))
    render(Policy)
    const user = userEvent.setup()
    await user.click(
      within(await screen.findByRole('alert')).getByRole('button', { name: 'Try again' }),
    )
    expect(await screen.findByRole('heading', { name: 'Your rules' })).toBeTruthy()
  })

  it('a change elsewhere is seen at once', async () => {
    const { host } = await open((world) => (world.policy = noRules()))
    host.reply('show_policy', someRules())
    host.publish({ kind: 'policy_changed' })
    await until(() =>
      expect(document.body.textContent).toContain(
        'Never show any tool of shipping for the terminal.',
      ),
    )
  })
})

it('three thousand rules are drawn a few at a time, found by words, and reached by a link', async () => {
  const { user } = await open((world) => (world.policy = manyRules(3_000)))
  const drawn = (): number => document.querySelectorAll('article').length
  expect(drawn()).toBeLessThan(70)
  await user.click(screen.getByText('Show more'))
  expect(drawn()).toBeLessThan(130)
  await until(() => expect(document.activeElement?.tagName).toBe('ARTICLE'))
  await user.click(screen.getByLabelText('Find a rule'))
  await user.paste('tool_2999')
  await until(() => expect(drawn()).toBe(1))
  stores.router.go(to('policy', ['rules', 'gone']))
  expect(await screen.findByText('This rule is gone')).toBeTruthy()
})

it('a link to a rule leads to it', async () => {
  await open(undefined, to('policy', ['rules', 'rule-0000000000000004']))
  await until(() =>
    expect(document.activeElement?.getAttribute('aria-label')).toBe(
      'Never show any tool of shipping for the terminal.',
    ),
  )
})

describe('making a rule', () => {
  async function making(replies: Replies = {}): Promise<{ host: FakeHost; user: UserEvent }> {
    const opened = await open(
      (world) => {
        world.policy = noRules()
        world.servers = [{ ...world.servers[0]!, id: 'files', on: true, reviewed: true }]
        world.tools = [toolView()]
      },
      to('policy'),
      {
        preview_rule: ({ draft }) => made(draft),
        add_rule: ({ draft }) => withMine(made(draft)),
        ...replies,
      },
    )
    await press(opened.user, 'Make a rule')
    await screen.findByRole('dialog')
    return opened
  }
  const never = async (user: UserEvent): Promise<void> =>
    user.click(screen.getByRole('radio', { name: 'Never' }))
  const make = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Make the rule' })
  const preview = (): string => screen.getByRole('region', { name: 'What it will say' }).textContent

  it('begins with nothing chosen, and names what is missing until a rule is about something', async () => {
    const { host, user } = await making()
    const dialog = screen.getByRole('dialog')
    expect(
      screen.getAllByRole('radio').filter((radio) => (radio as HTMLInputElement).checked),
    ).toEqual([])
    expect(dialog.textContent).toContain('Choose what should happen.')
    expect(dialog.textContent).toContain('Choose a server or who asks, or tick a condition.')
    expect(make().disabled).toBe(true)
    await never(user)
    expect(dialog.textContent).not.toContain('Choose what should happen.')
    await until(() => expect(preview()).toContain('Never run any tool.'))
    expect(make().disabled).toBe(true)
    expect(asked(host, 'preview_rule')).toEqual([])
    await user.selectOptions(screen.getByLabelText('Who asks'), 'terminal')
    await until(() => expect(make().disabled).toBe(false))
    expect(dialog.textContent).not.toContain('tick a condition')
  })

  it('begins with a rule that is often wanted, and names what only the person knows', async () => {
    const { user } = await making()
    const dialog = screen.getByRole('dialog')
    await press(user, 'Never send to …')
    expect(dialog.textContent).toContain('Name at least one host.')
    expect(preview()).toContain('if it goes to ….')
    expect(make().disabled).toBe(true)
    expect(document.activeElement).toBe(screen.getByLabelText('Hosts'))
    await user.keyboard('a.example')
    await until(() => expect(make().disabled).toBe(false))
    expect(preview()).toContain('send anything to another computer, if it goes to a.example.')
    await press(user, 'Never use files in …')
    expect(dialog.textContent).toContain('Name the folder.')
    expect(screen.queryByLabelText('Hosts')).toBeNull()
    await press(user, 'Always ask before …')
    expect(dialog.textContent).toContain('Choose a server or who asks, or tick a condition.')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Ask every time' }).checked).toBe(
      true,
    )
  })

  it('is done by clicks, with the sentence and the text beside it', async () => {
    const { host, user } = await making()
    await never(user)
    await user.selectOptions(screen.getByLabelText('Server'), 'files')
    await until(() =>
      expect(screen.getByLabelText('Tool').querySelectorAll('option').length).toBe(2),
    )
    await user.selectOptions(screen.getByLabelText('Tool'), 'write_file')
    await user.selectOptions(screen.getByLabelText('Who asks'), 'terminal')
    await user.click(screen.getByLabelText('a value came from untrusted content'))
    await user.type(screen.getByLabelText('Why (optional)'), 'By hand only')
    await until(() =>
      expect(preview()).toContain(
        'Never run write_file of files for the terminal, if a value came from untrusted content.',
      ),
    )
    await until(() => expect(preview()).toContain('@reason("By hand only")'))
    await press(user, 'Make the rule')
    expect(await screen.findByText('The rule was made')).toBeTruthy()
    expect(asked<{ draft: RuleDraft }>(host, 'add_rule')).toEqual([
      {
        draft: {
          effect: 'forbid',
          hook: 'call',
          caller: { kind: 'terminal', id: null },
          server: 'files',
          tool: 'write_file',
          when: [{ kind: 'from_strangers' }],
          reason: 'By hand only',
        },
      },
    ])
    await press(user, 'Dismiss')
    expect(screen.queryByText('The rule was made')).toBeNull()
  })

  it('offers only what is known at the chosen point', async () => {
    const { user } = await making()
    await never(user)
    await user.click(screen.getByLabelText('a value came from untrusted content'))
    await user.selectOptions(screen.getByLabelText('When'), 'discover')
    expect(screen.queryByLabelText('a value came from untrusted content')).toBeNull()
    expect(preview()).toContain('Never show any tool.')
    await user.selectOptions(screen.getByLabelText('When'), 'return')
    await user.selectOptions(screen.getByLabelText('What was found in the result'), 'credentials')
    expect(preview()).toContain('if credentials were found in it.')
    await user.click(screen.getByRole('radio', { name: 'Ask every time' }))
    expect(screen.queryByLabelText('When')).toBeNull()
    expect(preview()).not.toContain('credentials')
  })

  it('says why the host does not take it, and cannot be finished until it does', async () => {
    const { user } = await making({
      preview_rule: ({ draft }) =>
        draft.when.length === 0
          ? made(draft)
          : failing(hostError('bad_rule', 'This is no host.'))(),
    })
    await never(user)
    await user.click(screen.getByLabelText('it goes to certain hosts'))
    await user.type(screen.getByLabelText('Hosts'), 'a/b')
    expect(await screen.findByText('A rule cannot be made like this yet')).toBeTruthy()
    expect(make().disabled).toBe(true)
  })

  it('cannot be finished while what is shown is about an earlier draft', async () => {
    const later = held<Rule>()
    const { host, user } = await making({
      preview_rule: ({ draft }) => (draft.server === null ? made(draft) : later),
    })
    await never(user)
    await user.click(screen.getByLabelText('a value came from untrusted content'))
    await until(() => expect(make().disabled).toBe(false))
    await user.selectOptions(screen.getByLabelText('Server'), 'files')
    expect(make().disabled).toBe(true)
    await user.click(make())
    expect(asked(host, 'add_rule')).toEqual([])
    later.finish(made({ ...ANY, server: 'files' }))
    await until(() => expect(make().disabled).toBe(false))
  })

  it('says why the tools of a server cannot be chosen, and tries again', async () => {
    const { host, user } = await making()
    host.failNext('list_tools', 'database_locked')
    await user.selectOptions(screen.getByLabelText('Server'), 'files')
    expect((await screen.findByRole('alert')).textContent).toContain('The database is locked')
    expect(screen.getByLabelText<HTMLSelectElement>('Tool').disabled).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await until(() => expect(screen.getByLabelText<HTMLSelectElement>('Tool').disabled).toBe(false))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  /** Asks for a rule that lets more happen; what comes of it is still open. */
  async function allowing() {
    const answer = held<PolicyView>()
    const opened = await making({ add_rule: () => answer })
    await opened.user.click(screen.getByRole('radio', { name: 'Without a question' }))
    await opened.user.selectOptions(screen.getByLabelText('Server'), 'files')
    expect(screen.getByRole('dialog').textContent).toContain('Making it is a question first.')
    await until(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Ask to make' }).disabled).toBe(
        false,
      ),
    )
    await press(opened.user, 'Ask to make')
    expect(await screen.findByText('A question is waiting: should this rule be made?')).toBeTruthy()
    return { ...opened, answer }
  }

  it('that lets more happen is a question first; a yes makes it', async () => {
    const { answer } = await allowing()
    expect(screen.getByText('No rules.')).toBeTruthy()
    answer.finish(withMine(made({ ...ANY, effect: 'allow', server: 'files' })))
    expect(await screen.findByText('The rule was made')).toBeTruthy()
    expect(document.body.textContent).toContain('Run any tool of files without asking.')
  })

  it('that lets more happen is not made without a yes', async () => {
    const { answer } = await allowing()
    answer.fail(refused({ kind: 'denied_by_person', reason: null }))
    expect(await screen.findByText('The rule was not made')).toBeTruthy()
    expect(screen.getByText('No rules.')).toBeTruthy()
  })
})

describe('removing a rule', () => {
  it('that forbids says that it will be a question, waits, and says what came of it', async () => {
    const answer = held<PolicyView>()
    const { user } = await open(undefined, undefined, { remove_rule: () => answer })
    await user.click(
      screen.getByRole('button', { name: /^Remove: Never show any tool of shipping/ }),
    )
    const dialog = await screen.findByRole('dialog')
    expect(document.activeElement?.textContent).toContain('Cancel')
    expect(dialog.textContent).toContain('Removing it is a question first.')
    await press(user, 'Ask to remove')
    expect(
      await screen.findByText('A question is waiting: should this rule be removed?'),
    ).toBeTruthy()
    answer.finish(without('rule-0000000000000004'))
    expect(await screen.findByText('The rule was removed')).toBeTruthy()
    await until(() =>
      expect(
        screen.queryByRole('button', { name: /^Remove: Never show any tool of shipping/ }),
      ).toBeNull(),
    )
  })

  it('that allows is removed at once', async () => {
    const { host, user } = await open(undefined, undefined, {
      remove_rule: ({ rule }) => without(rule),
    })
    await user.click(screen.getByRole('button', { name: /^Remove: Run any tool of currency/ }))
    expect((await screen.findByRole('dialog')).textContent).toContain('Less can happen without it.')
    await press(user, 'Remove')
    expect(await screen.findByText('The rule was removed')).toBeTruthy()
    expect(asked(host, 'remove_rule')).toEqual([{ rule: 'rule-0000000000000003' }])
  })

  it('that is gone already says so', async () => {
    const { host, user } = await open()
    host.failNext('remove_rule', 'unknown_rule')
    await user.click(screen.getByRole('button', { name: /^Remove: Run any tool of currency/ }))
    await press(user, 'Remove')
    expect((await screen.findByRole('alert')).textContent).toContain(
      'It was removed, or it is not one of yours.',
    )
  })
})
