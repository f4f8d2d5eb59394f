/** Promises of the usual ways to remember a yes, beside the one that is for once. */
import { cleanup, render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, test, vi } from 'vitest'
import type { Replies } from '../../src/host/fake'
import { touching, under } from '../../src/host/fake/question'
import { sampleWorkspaces } from '../../src/host/fake/sampleWorkspaces'
import type { Decision, Question, WorkspaceView } from '../../src/host/types.gen'
import QuestionView from '../../src/parts/consent/QuestionView.svelte'
import { callQuestion, deskFor, spec } from '../ours'
import { optionsOf, previewed, previewing } from '../replies'
import { onFakeTime } from '../support'

const MOMENT = 1_000
const PATH = '/home/ada/Documents/notes/today.md'
const FOLDER = '/home/ada/Documents/notes'
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const entries = (): string[] =>
  screen.queryAllByRole('menuitem').map(({ textContent }) => textContent.trim())
const entry = (name: string | RegExp) => screen.getByRole('menuitem', { name })

/** A call that writes a file below the folders that were given. */
const writes = (more: Parameters<typeof callQuestion>[0] = {}): Question =>
  callQuestion({
    arguments: { path: PATH },
    options: { path: under(PATH, FOLDER, '/home/ada/Documents') },
    subject: { touches: touching(PATH) },
    ...more,
  })

async function show(question = writes(), replies?: Replies, workspaces?: WorkspaceView[]) {
  const answers: Decision[] = []
  const known = { ...deskFor(question, replies), ...(workspaces && { workspaces }) }
  const view = render(QuestionView, {
    question,
    known,
    onanswer: (answer: Decision) => answers.push(answer),
  })
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
  let clicks = 0
  const click = async (element: HTMLElement): Promise<void> => {
    clicks += 1
    await user.click(element)
    await pass(MOMENT)
  }
  await pass(MOMENT)
  return { answers, user, known, view, click, clicks: () => clicks }
}

onFakeTime()

describe('the usual ways to remember a yes', () => {
  test('“always in this folder” takes at most two clicks more than “once”', async () => {
    const once = await show()
    await once.click(button('Allow once'))
    expect(once.answers).toHaveLength(1)
    cleanup()
    const always = await show()
    await always.click(button('Remember…'))
    await always.click(entry(`Always allow in ${FOLDER}`))
    expect(always.answers).toEqual([
      {
        kind: 'allow',
        arguments: null,
        remember: {
          lasting: { kind: 'workspace' },
          cover: {
            kind: 'within',
            limits: [{ argument: 'path', allowed: { kind: 'under', folder: FOLDER } }],
          },
        },
      },
    ])
    expect(always.clicks() - once.clicks()).toBeLessThanOrEqual(2)
  })

  it('are few, the narrowest first, and the form for all others last', async () => {
    const { click } = await show()
    await click(button('Remember…'))
    expect(entries()).toEqual([
      'Allow exactly this until Majordomo is closed',
      'Always allow exactly this',
      `Allow in ${FOLDER} until Majordomo is closed`,
      `Always allow in ${FOLDER}`,
      'Allow any arguments until Majordomo is closed',
      'Always allow any arguments',
      'Customize…',
    ])
    expect(screen.getByRole('menu').textContent).toContain(
      'The terminal may run write_file on files without asking you.',
    )
  })

  it('name the workspace where there are several, and stay as few', async () => {
    const { click } = await show(undefined, undefined, sampleWorkspaces())
    await click(button('Remember…'))
    expect(entries()).toHaveLength(7)
    expect(entries()[4]).toBe(`Always allow in ${FOLDER}, in all workspaces`)
    expect(entries()[3]).toBe(`Always allow in ${FOLDER}`)
    expect(screen.getByRole('menu').textContent).toMatch(
      /In the workspace “.+”, unless the entry says all\./,
    )
  })

  it('say what every other argument may be, and which questions are answered, too', async () => {
    const content = `${'a line that is written\n'.repeat(3)}\u202e`
    const question = writes({
      arguments: { path: PATH, content },
      options: { path: under(PATH, FOLDER), content: [] },
    })
    const { click } = await show(question, {
      preview_answer: previewing(question, { settles: ['question-2'] }),
    })
    await click(button('Remember…'))
    const words = entries()[3]?.replace(/\s+/g, ' ')
    expect(words).toContain(`Always allow in ${FOLDER} content may be anything`)
    expect(words).toContain('It also answers 1 other question that waits.')
  })

  it('say which argument lies in which folder where there are several', async () => {
    const args = { from: PATH, to: '/home/ada/Pictures/a.md' }
    const given = (of: string) => ({ of, path: of, granted: true })
    const { click } = await show(
      callQuestion({
        arguments: args,
        options: { from: under(PATH, FOLDER), to: under(args.to, '/home/ada/Pictures') },
        subject: { touches: { ...touching(PATH), files: [given(PATH), given(args.to)] } },
      }),
    )
    await click(button('Remember…'))
    expect(entries()[3]?.replace(/\s+/g, ' ')).toBe(
      `Always allow in ${FOLDER} and /home/ada/Pictures from lies in ${FOLDER}, to lies in /home/ada/Pictures`,
    )
  })

  it('show what is hidden in the name of a folder', async () => {
    const path = '/home/ada/no\u202etes/a.md'
    const { click } = await show(
      writes({
        arguments: { path },
        options: { path: under(path, '/home/ada/no\u202etes') },
        subject: { touches: touching(path) },
      }),
    )
    await click(button('Remember…'))
    expect(entry('Always allow in /home/ada/no⟨U+202E⟩tes')).toBeTruthy()
  })

  it('widen no way out of the folders that were given', async () => {
    const { click } = await show(
      writes({ options: { path: under('/etc/passwd', '/etc') }, arguments: { path: '/etc/x' } }),
    )
    await click(button('Remember…'))
    expect(entries().some((words) => words.includes('/etc'))).toBe(false)
  })
})

describe('what the host would not remember, or does not put in words, is not offered', () => {
  test('such as any arguments without an end', async () => {
    const question = writes()
    const { click } = await show(question, {
      preview_answer: ({ answer }) =>
        answer.kind === 'allow' &&
        answer.remember?.cover.kind === 'any' &&
        answer.remember.lasting.kind === 'workspace'
          ? previewed({ not_remembered: { kind: 'endless' } })
          : previewing(question)({ answer }),
    })
    await click(button('Remember…'))
    expect(entries()).toContain('Allow any arguments until Majordomo is closed')
    expect(entries()).not.toContain('Always allow any arguments')
  })

  test('and where nothing is known, the form is left', async () => {
    const { click } = await show(writes(), {
      preview_answer: () => Promise.reject(new Error('gone')),
    })
    await click(button('Remember…'))
    expect(entries()).toEqual(['Customize…'])
  })

  test('and what the worst that is known speaks against is put together by hand', async () => {
    const { click } = await show(
      writes({
        findings: [
          {
            kind: 'override',
            severity: 'high',
            at: '/description',
            span: { start: 0, end: 6 },
            evidence: 'Ignore',
          },
        ],
      }),
    )
    await click(button('Remember…'))
    expect(screen.queryByRole('menu')).toBeNull()
    expect(screen.getByRole('region', { name: 'Remember my answer' })).toBeTruthy()
  })
})

describe('nothing is given by mistake:', () => {
  it('in the first moment after they came, neither by a click nor by Enter', async () => {
    const { answers, user } = await show()
    await user.click(button('Remember…'))
    await pass(50)
    await user.click(entry('Always allow exactly this'))
    expect(screen.getByRole('menu')).toBeTruthy()
    await user.keyboard('{Enter}')
    expect(answers).toEqual([])
    expect(screen.getByRole('menu')).toBeTruthy()
    await pass(MOMENT)
    await user.click(entry('Always allow exactly this'))
    expect(answers).toMatchObject([{ remember: { cover: { kind: 'exactly' } } }])
  })

  it('which is seen and said of them in that moment, and the focus stays', async () => {
    const { user } = await show()
    const unready = () =>
      screen.getAllByRole('menuitem').map((one) => one.getAttribute('aria-disabled') === 'true')
    await user.click(button('Remember…'))
    await pass(50)
    const first = entry('Allow exactly this until Majordomo is closed')
    expect(button('Allow once').disabled).toBe(true)
    // The form gives no answer yet.
    expect(unready()).toEqual([true, true, true, true, true, true, false])
    expect(document.activeElement).toBe(first)
    await user.keyboard('{ArrowDown}{ArrowUp}')
    expect(document.activeElement).toBe(first)
    await pass(MOMENT)
    expect(button('Allow once').disabled).toBe(false)
    expect(unready()).toEqual(Array.from({ length: 7 }, () => false))
    expect(document.activeElement).toBe(first)
    window.dispatchEvent(new Event('focus'))
    await pass(0)
    expect(unready()[0]).toBe(true)
    expect(document.activeElement).toBe(first)
  })

  it('while a value is folded', async () => {
    const content = 'x'.repeat(2_000)
    const { answers, click } = await show(
      writes({
        arguments: { path: PATH, content },
        options: { path: under(PATH, FOLDER), content: [] },
      }),
    )
    await click(button('Remember…'))
    const [first] = screen.getAllByRole('menuitem')
    expect(first!.getAttribute('aria-disabled')).toBe('true')
    await click(first!)
    expect(answers).toEqual([])
  })

  it('by Escape, which only shuts the list and leaves the focus on its button', async () => {
    const { answers, user, click } = await show()
    await click(button('Remember…'))
    await user.keyboard('{Escape}')
    await pass(MOMENT)
    expect(answers).toEqual([])
    expect(screen.queryByRole('menu')).toBeNull()
    expect(document.activeElement).toBe(button('Remember…'))
  })

  it('and the refusal keeps the focus and the strong colour', async () => {
    await show()
    expect(document.activeElement).toBe(button("Don't allow"))
    expect(button("Don't allow").className).toContain('primary')
    expect(button('Remember…').className).not.toContain('primary')
  })
})

it('the keyboard goes through them with the arrow keys, from the narrowest on', async () => {
  const { answers, user } = await show()
  button('Remember…').focus()
  await user.keyboard('{Enter}')
  await pass(MOMENT)
  expect(document.activeElement).toBe(entry('Allow exactly this until Majordomo is closed'))
  expect(document.activeElement!.hasAttribute('data-highlighted')).toBe(true)
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  expect(document.activeElement).toBe(entry(`Always allow in ${FOLDER}`))
  await user.keyboard('{Enter}')
  expect(answers).toMatchObject([{ remember: { lasting: { kind: 'workspace' } } }])
})

it('“Customize…” leads to the form, whose summary comes first', async () => {
  const { answers, click } = await show()
  await click(button('Remember…'))
  await click(entry('Customize…'))
  const form = screen.getByRole('region', { name: 'Remember my answer' })
  expect(form.contains(document.activeElement)).toBe(true)
  const text = form.textContent
  expect(text.indexOf('This would be remembered')).toBeLessThan(text.indexOf('How long'))
  await click(button('Back'))
  expect(document.activeElement).toBe(button('Remember…'))
  expect(answers).toEqual([])
})

it('they are about the call as the person changed it', async () => {
  const other = `${FOLDER}/b.md`
  const question = writes({
    tool: spec({ input_schema: { type: 'object', properties: { path: { type: 'string' } } } }),
  })
  const { answers, user, click } = await show(question, {
    preview_answer: previewing(question, { options: optionsOf({ path: under(other, FOLDER) }) }),
  })
  await click(button('Edit'))
  await user.clear(screen.getByLabelText(/^path/))
  await user.type(screen.getByLabelText(/^path/), other)
  await pass(MOMENT)
  await click(button('Remember…'))
  await click(entry('Always allow exactly this'))
  expect(answers).toMatchObject([{ arguments: { path: other } }])
})
