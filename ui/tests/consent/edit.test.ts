/** Promises of arguments that a person changes before a call runs. */
import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { touching, under } from '../../src/host/fake/question'
import type { Allowed, Decision } from '../../src/host/types.gen'
import QuestionView from '../../src/parts/consent/QuestionView.svelte'
import { callQuestion, customise, deskFor, spec } from '../ours'
import { optionsOf, previewed, previewing } from '../replies'
import { onFakeTime } from '../support'

const MOMENT = 1_000
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const button = (name: RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const table = () => screen.getByRole('table', { name: /this will be sent/i })

const TOOL = spec({
  input_schema: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      count: { type: 'integer', maximum: 5 },
      on: { type: 'boolean' },
    },
    required: ['path'],
  },
})
const SENT = { path: '/home/ada/Documents/a.md', count: 2, deep: { x: [1] }, text: 'one\ntwo' }

/** What may be chosen for a path, and for the arguments beside it. */
const limits = (...folders: string[]): Record<string, Allowed[]> => ({
  path: under(...folders),
  count: [{ kind: 'at_most', number: 2 }],
  deep: [],
  text: [{ kind: 'one_of', values: ['one\ntwo'] }],
})
const FOLDERS = ['/home/ada/Documents/a.md', '/home/ada/Documents', '/home/ada']

async function open(sent: Record<string, unknown> = SENT, tool = TOOL) {
  const question = callQuestion({
    tool,
    arguments: sent,
    options: sent === SENT ? limits(...FOLDERS) : { path: under(...FOLDERS) },
    subject: { touches: touching(SENT.path) },
  })
  const answers: Decision[] = []
  const { host, ...known } = deskFor(question)
  const { rerender } = render(QuestionView, {
    question,
    known,
    onanswer: (answer: Decision) => answers.push(answer),
  })
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
  await pass(MOMENT)
  return { answers, user, host, known, question, rerender }
}

async function edit(sent: Record<string, unknown> = SENT, tool = TOOL) {
  const opened = await open(sent, tool)
  await opened.user.click(button(/^edit$/i))
  return opened
}

onFakeTime()

describe('the arguments of a call', () => {
  it('have a field each: by the schema where it is simple, as JSON where it is not', async () => {
    await edit()
    expect(screen.getByLabelText<HTMLInputElement>(/^path/).value).toBe(SENT.path)
    expect(screen.getByLabelText<HTMLInputElement>(/^count/).value).toBe('2')
    expect(JSON.parse(screen.getByLabelText<HTMLTextAreaElement>(/^deep/).value)).toEqual({
      x: [1],
    })
    // A line break survives only where there are lines.
    expect(screen.getByLabelText(/^text/)).toBeInstanceOf(HTMLTextAreaElement)
    expect(screen.getByRole('switch', { name: 'on' })).toBeTruthy()
  })

  it('are sent as they were changed, and the table shows that', async () => {
    const { answers, user } = await edit()
    await user.clear(screen.getByLabelText(/^count/))
    await user.type(screen.getByLabelText(/^count/), '4')
    await user.type(screen.getByLabelText(/^path/), '\u200bx')
    await pass(MOMENT)
    expect(screen.getByText('Changed by you')).toBeTruthy()
    expect(table().textContent).toContain('a.mdU+200Bx')
    await user.click(button(/^allow once$/i))
    expect(answers).toEqual([
      {
        kind: 'allow',
        arguments: { ...SENT, count: 4, path: `${SENT.path}\u200bx` },
        remember: null,
      },
    ])
  })

  it('that do not fit the tool are not sent, and it is said why', async () => {
    const { answers, user, host } = await edit()
    host.reply(
      'preview_answer',
      previewed({ problems: ['/count: 9 is greater than the maximum of 5'] }),
    )
    await user.clear(screen.getByLabelText(/^count/))
    await user.type(screen.getByLabelText(/^count/), '9')
    expect(button(/^allow once$/i).disabled).toBe(true)
    await pass(MOMENT)
    expect(screen.getByRole('alert').textContent).toContain(
      '/count: 9 is greater than the maximum of 5',
    )
    expect(button(/^allow once$/i).disabled).toBe(true)
    await user.click(button(/^allow once$/i))
    expect(answers).toEqual([])
  })

  it('go back to what was asked for, and then nothing was changed', async () => {
    const { answers, user } = await edit()
    await user.type(screen.getByLabelText(/^path/), 'x')
    await pass(MOMENT)
    await user.click(button(/^reset$/i))
    await pass(MOMENT)
    expect(screen.queryByText('Changed by you')).toBeNull()
    await user.click(button(/^allow once$/i))
    expect(answers).toEqual([{ kind: 'allow', arguments: null, remember: null }])
  })

  it('have other limits when they are changed', async () => {
    const { answers, user, host, question } = await edit()
    const options = optionsOf(limits('/home/ada/Documents/deep/b.md', '/home/ada/Documents/deep'))
    host.reply('preview_answer', previewing(question, { options }))
    await user.clear(screen.getByLabelText(/^path/))
    await user.type(screen.getByLabelText(/^path/), '/home/ada/Documents/deep/b.md')
    await pass(MOMENT)
    await customise(user)
    await pass(MOMENT)
    expect(
      screen.getByLabelText<HTMLSelectElement>('What “path” may be').selectedOptions[0]
        ?.textContent,
    ).not.toContain('a.md')
    await user.click(button(/allow and remember/i))
    expect(answers).toMatchObject([
      {
        arguments: { path: '/home/ada/Documents/deep/b.md' },
        remember: { cover: { kind: 'within' } },
      },
    ])
  })

  it('are left by Escape without an answer', async () => {
    const { answers, user } = await edit()
    await user.type(screen.getByLabelText(/^path/), '{Escape}')
    expect(answers).toEqual([])
    expect(screen.queryByLabelText(/^path/)).toBeNull()
    expect(document.activeElement).toBe(button(/^edit$/i))
  })

  it('go back to the limits of what was asked for with it', async () => {
    const { user, host, question } = await edit({ path: '/home/ada/Documents/a.md' })
    const elsewhere = previewing(question, {
      options: optionsOf({ path: under('/srv/b.md', '/srv') }),
    })
    host.reply('preview_answer', ({ answer }) =>
      (JSON.stringify(answer).includes('/srv') ? elsewhere : previewing(question))({ answer }),
    )
    const shown = () =>
      [...screen.getByLabelText<HTMLSelectElement>('What “path” may be').options].map(
        ({ textContent }) => textContent,
      )
    await customise(user)
    await pass(MOMENT)
    const first = shown()
    await user.clear(screen.getByLabelText(/^path/))
    await user.type(screen.getByLabelText(/^path/), '/srv/b.md')
    expect(shown()).toEqual(first)
    await pass(MOMENT)
    expect(shown().join()).toContain('/srv')
    expect(shown().join()).not.toContain('/home')
    await user.click(button(/^reset$/i))
    await pass(MOMENT)
    expect(shown()).toEqual(first)
  })

  it('that nobody could check are not sent, and can be checked again', async () => {
    const { answers, user, host } = await edit()
    host.failNext('preview_answer', 'database_locked')
    await user.type(screen.getByLabelText(/^path/), 'x')
    await pass(MOMENT)
    expect(screen.getByRole('alert').textContent).toContain('Whether this can be sent is not known')
    expect(button(/^allow once$/i).disabled).toBe(true)
    await user.click(button(/^try again$/i))
    await pass(MOMENT)
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(button(/^allow once$/i))
    expect(answers).toMatchObject([{ kind: 'allow', arguments: { path: `${SENT.path}x` } }])
  })

  it('are not sent while a field holds half of what was meant', async () => {
    const { answers, user } = await edit()
    const deep = screen.getByLabelText(/^deep/)
    await user.clear(deep)
    await user.type(deep, '{{"x": [[1')
    await pass(MOMENT)
    expect(screen.getByRole('alert').textContent).toContain('What was typed is no JSON')
    expect(button(/^allow once$/i).disabled).toBe(true)
    await user.type(deep, ']}')
    await pass(MOMENT)
    expect(screen.queryByRole('alert')).toBeNull()
    await user.type(deep, ' ')
    await user.clear(deep)
    await user.type(deep, '{{"x": [[2]}')
    await pass(MOMENT)
    await user.click(button(/^allow once$/i))
    expect(answers).toMatchObject([{ arguments: { deep: { x: [2] } } }])
  })

  it('that hold a number too long for this window are marked, and are not changed here', async () => {
    const { answers, user } = await open({ id: 9007199254740993, path: 'a' } as Record<
      string,
      unknown
    >)
    expect(table().textContent).toContain('≈ 9007199254740992')
    expect(screen.getByText(/too long to be shown exactly/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^edit$/i })).toBeNull()
    await user.click(button(/^allow once$/i))
    expect(answers).toEqual([{ kind: 'allow', arguments: null, remember: null }])
  })

  it('are not changed to a number that is too long either', async () => {
    const { user } = await edit()
    await user.clear(screen.getByLabelText(/^deep/))
    await user.type(screen.getByLabelText(/^deep/), '9007199254740993')
    await pass(MOMENT)
    expect(screen.getByRole('alert').textContent).toContain(
      'A number is too long to be kept exactly',
    )
    expect(button(/^allow once$/i).disabled).toBe(true)
  })

  it('are not changed to an object that holds a name twice', async () => {
    const { user } = await edit()
    await user.clear(screen.getByLabelText(/^deep/))
    await user.type(screen.getByLabelText(/^deep/), '{{"x": 1, "x": 2}')
    await pass(MOMENT)
    expect(screen.getByRole('alert').textContent).toContain('A name is used twice')
    expect(button(/^allow once$/i).disabled).toBe(true)
  })

  it('keep the line breaks inside them', async () => {
    const tool = spec({
      input_schema: {
        type: 'object',
        properties: {
          lines: { type: 'array', items: { type: 'string' } },
          mail: {
            type: 'object',
            properties: { body: { type: 'string' }, to: { type: 'string' } },
          },
        },
      },
    })
    const { answers, user } = await edit(
      { lines: ['one\ntwo'], mail: { body: 'a\r\nb', to: 'x' } },
      tool,
    )
    const mail = screen.getByLabelText<HTMLTextAreaElement>(/^mail/)
    expect(JSON.parse(mail.value)).toEqual({ body: 'a\r\nb', to: 'x' })
    expect(JSON.parse(screen.getByLabelText<HTMLTextAreaElement>(/^lines/).value)).toEqual([
      'one\ntwo',
    ])
    await user.clear(mail)
    await user.type(mail, '{{"body": "a\\r\\nc"}')
    await pass(MOMENT)
    await user.click(button(/^allow once$/i))
    expect(answers).toMatchObject([
      { arguments: { lines: ['one\ntwo'], mail: { body: 'a\r\nc' } } },
    ])
  })

  it('leave the keyboard where they are changed once they were put back', async () => {
    const { user } = await edit()
    await user.type(screen.getByLabelText(/^path/), 'x')
    await user.click(button(/^done$/i))
    await user.click(button(/^reset$/i))
    expect(document.activeElement).toBe(button(/^edit$/i))
  })
})
