/** Promises that no content can keep a part of an action out of sight (the regressions of other hosts' prompts). */
import { cleanup, render, screen, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, test, vi } from 'vitest'
import { touching, under } from '../../src/host/fake/question'
import { moreQuestions } from '../../src/host/fake/sampleQuestions'
import { fullWorld } from '../../src/host/fake/sample'
import type { Decision, Question } from '../../src/host/types.gen'
import { changedSince } from '../../src/parts/consent/lastTime'
import QuestionView from '../../src/parts/consent/QuestionView.svelte'
import { callQuestion, customise, deskFor } from '../ours'
import { onFakeTime } from '../support'

const MOMENT = 1_000
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const button = (name: RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const table = () => screen.getByRole('table', { name: /this will be sent/i })

function show(question: Question) {
  const answers: Decision[] = []
  render(QuestionView, {
    question,
    known: deskFor(question),
    onanswer: (answer: Decision) => answers.push(answer),
  })
  return { answers, user: userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) }) }
}

onFakeTime()

test.each<[string, string]>([
  [
    'an address of more than 4096 characters',
    `https://example.com/${'a'.repeat(4_200)}@evil.example/`,
  ],
  ['ten thousand characters', `${'x'.repeat(10_000)} and then rm -rf`],
  ['a hundred empty lines', `first${'\n'.repeat(100)}last`],
])('%s are all shown before a yes', async (_, value) => {
  const { answers, user } = show(callQuestion({ arguments: { value } }))
  await pass(MOMENT)
  expect(button(/^allow once$/i).disabled).toBe(true)
  await user.click(button(/^allow once$/i))
  expect(answers).toEqual([])
  await user.click(button(/show all of it/i))
  expect(table().textContent).toContain(value.slice(-10).trim())
  expect(table().textContent.length).toBeGreaterThanOrEqual(value.length)
  await user.click(button(/^allow once$/i))
  expect(answers).toHaveLength(1)
})

test.each([
  ['\u202e', 'U+202E'],
  ['\u200b', 'U+200B'],
  ['\u2066', 'U+2066'],
  ['\ufeff', 'U+FEFF'],
  ['\u001b', '␛'],
  ['\u00a0', '⍽'],
  ['\r', '␍'],
  ['\t', '⇥'],
])('%j is seen in a value, in a name and in a difference', (character, sign) => {
  show(
    callQuestion({
      arguments: { [`na${character}me`]: `va${character}lue` },
      subject: { last_time: { [`na${character}me`]: 'value' } },
    }),
  )
  const marks = (within_: HTMLElement) =>
    within(within_)
      .getAllByRole('img', { name: /invisible character/i })
      .map((mark) => mark.textContent)
  expect(marks(table()).at(-1)).toBe(sign)
  // In a name it is a mark, or written out as an escape.
  expect(
    [...table().querySelectorAll('bdi')]
      .flatMap((text) => [...text.childNodes])
      .filter(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').includes(character),
      ),
  ).toEqual([])
  expect(table().querySelector('th')?.textContent).toMatch(/na.+me/)
  expect(marks(screen.getByRole('region', { name: /difference to last time/i }))).toEqual([sign])
})

it('deep values are laid out to their last leaf', async () => {
  const deep = Array.from({ length: 60 }).reduce<unknown>((inner) => ({ inner }), 'the end')
  const { user } = show(callQuestion({ arguments: { deep } }))
  await pass(MOMENT)
  expect(table().textContent).toContain('the end')
  await user.click(button(/show all of it/i))
  expect(table().textContent.match(/inner/g)).toHaveLength(60)
})

it('a limit for a long path is remembered like any other', async () => {
  const path = `/home/ada/Documents/${'very-long-folder-name/'.repeat(100)}today.md`
  const { answers, user } = show(
    callQuestion({
      arguments: { path },
      options: { path: under(path, path.slice(0, path.lastIndexOf('/'))) },
      subject: { touches: touching(path) },
    }),
  )
  await pass(MOMENT)
  await user.click(button(/show all of it/i))
  await customise(user)
  await pass(MOMENT)
  await user.click(button(/allow and remember/i))
  expect(answers).toMatchObject([
    {
      remember: {
        cover: {
          limits: [
            {
              argument: 'path',
              allowed: { kind: 'under', folder: path.slice(0, path.lastIndexOf('/')) },
            },
          ],
        },
      },
    },
  ])
})

describe('closing something answers nothing', () => {
  it('a difference, a disclosure, a form, a choice', async () => {
    const before = {
      name: 'write_file',
      title: null,
      description: 'Old words',
      input_schema: { type: 'object' },
      output_schema: null,
      annotations: null,
      meta: null,
      extra: {},
    }
    const { answers, user } = show(
      callQuestion({
        reason: { kind: 'tool_changed', parts: ['description'], before, allowed_at: 0 },
        subject: { last_time: { path: '/old' } },
      }),
    )
    await pass(MOMENT)
    for (const region of screen.getAllByRole('region', {
      name: /changed: description|difference to last time/i,
    })) {
      region.focus()
      await user.keyboard('{Escape}')
    }
    await user.click(screen.getByText('About this tool'))
    await user.click(screen.getByText('About this tool'))
    await user.click(button(/^edit$/i))
    await user.keyboard('{Escape}')
    await customise(user)
    await user.keyboard('{Escape}')
    expect(answers).toEqual([])
  })
})

it('every sample of a question has a sentence of ours, a safe answer with the focus, and no yes in the first moment', () => {
  const files = fullWorld().tools.filter(({ server }) => server === 'files')
  const all = [...fullWorld().questions, ...moreQuestions(files)]
  expect(all.length).toBeGreaterThan(16)
  for (const question of all) {
    show(question)
    expect(screen.getByRole('heading', { level: 1 }).textContent, question.id).toMatch(
      /want|asked to|is to get/,
    )
    expect((document.activeElement as HTMLElement).dataset['first'], question.id).toBe('true')
    for (const yes of screen.queryAllByRole<HTMLButtonElement>('button', {
      name: /^(allow once|open in browser|send|let the model|make the rule|take the rule)/i,
    }))
      expect(yes.disabled, question.id).toBe(true)
    cleanup()
  }
})

test('what differs is told value by value, a number from a text of the same look, too', () => {
  expect(
    changedSince({ a: '1', b: [1, 2] }, { a: 1, b: [1, 3] }).map(({ path, how, pieces }) => [
      path,
      how,
      pieces.map(({ kind, text }) => [kind, text]),
    ]),
  ).toEqual([
    [
      'a',
      'changed',
      [
        ['removed', '"1"'],
        ['added', '1'],
      ],
    ],
    [
      'b[1]',
      'changed',
      [
        ['removed', '2'],
        ['added', '3'],
      ],
    ],
  ])
  expect(changedSince({}, {})).toEqual([])
  expect(changedSince({}, { a: '' }).map(({ how }) => how)).toEqual(['new'])
})
