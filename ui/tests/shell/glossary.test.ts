/** Promises of the glossary: which words it explains, that the window uses them, and where it is found. */
import { screen, within } from '@testing-library/svelte'
import { afterEach, expect, test } from 'vitest'
import App from '../../src/App.svelte'
import { emptyWorld } from '../../src/host/fake/sample'
import { language } from '../../src/messages'
import en from '../../src/messages/en.json'
import { glossary, holding } from '../../src/messages/glossary'
import zhCN from '../../src/messages/zh-CN.json'
import { open, settle } from '../support'

afterEach(() => language.choose('system'))

const sheet = (): HTMLElement => screen.getByRole('dialog', { name: 'Glossary' })
const terms = (): string[] =>
  [...sheet().querySelectorAll('dt')].map(({ textContent }) => textContent)

const of = (catalogue: Record<string, string>, part: 'term' | 'means'): [string, string][] =>
  Object.entries(catalogue).filter(([key]) => new RegExp(`^glossary\\.\\w+\\.${part}$`).test(key))

/** The texts of a catalogue in which a term is to be found, if it is used at all. */
const others = (catalogue: Record<string, string>): string[] =>
  Object.entries(catalogue).flatMap(([key, text]) => (key.startsWith('glossary.') ? [] : [text]))

test('at least twenty terms are explained, the same ones in both languages', () => {
  const keys = (catalogue: Record<string, string>, part: 'term' | 'means'): string[] =>
    of(catalogue, part).map(([key]) => key.replace(/\.\w+$/, ''))
  expect(keys(en, 'term').length).toBeGreaterThanOrEqual(20)
  expect(keys(en, 'means')).toEqual(keys(en, 'term'))
  for (const part of ['term', 'means'] as const) expect(keys(zhCN, part)).toEqual(keys(en, part))
  for (const catalogue of [en, zhCN]) {
    const called = of(catalogue, 'term').map(([, term]) => term)
    expect(new Set(called).size).toBe(called.length)
  }
})

test('every English term is used somewhere else, as a whole word', () => {
  const said = others(en)
  const unused = of(en, 'term').filter(([, term]) => {
    const word = new RegExp(`\\b${term}s?\\b`, 'i')
    return !said.some((text) => word.test(text))
  })
  expect(unused).toEqual([])
})

test('every Chinese term is used somewhere else', () => {
  const said = others(zhCN)
  const unused = of(zhCN, 'term').filter(([, term]) => !said.some((text) => text.includes(term)))
  expect(unused).toEqual([])
})

test('a meaning is one or two whole sentences, and names what it speaks of', () => {
  for (const [key, means] of [...of(en, 'means'), ...of(zhCN, 'means')]) {
    const sentences = means.split(/(?<=[.。])\s*/).filter(Boolean)
    expect(sentences.length, key).toBeLessThanOrEqual(2)
    expect(means, key).toMatch(/[.。]$/)
    for (const sentence of sentences) expect(sentence, key).not.toMatch(/^(It|它)(?![a-z])/)
  }
})

test('the terms stand in the order of the alphabet of each language', () => {
  for (const choice of ['en', 'zh-CN'] as const) {
    language.choose(choice)
    const shown = glossary().map(({ term }) => term)
    expect(shown).toEqual([...shown].sort(new Intl.Collator(choice).compare))
  }
  // By sound, which no order of characters gives.
  const [first] = glossary()
  expect(first?.term).toBe('不受信任的内容')
})

test('the sheet of the keys leads to the glossary', async () => {
  const { person } = await open(App, emptyWorld(), '#/servers')
  await person.keyboard('?')
  const keys = screen.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await person.click(within(keys).getByRole('button', { name: 'Glossary' }))
  expect(screen.getAllByRole('dialog')).toEqual([sheet()])
})

test('the palette leads to the glossary, and the page stays', async () => {
  const { person } = await open(App, emptyWorld(), '#/servers')
  for (const words of ['gloss', 'help']) {
    await person.keyboard('{Control>}k{/Control}')
    await settle()
    await person.keyboard(`${words}{Enter}`)
    await settle()
    expect(screen.getAllByRole('dialog')).toEqual([sheet()])
    expect(location.hash).toBe('#/servers')
    await person.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  }
})

test('the settings end with the glossary, which gives the focus back', async () => {
  const { person } = await open(App, emptyWorld(), '#/settings')
  const button = within(screen.getByRole('main')).getAllByRole('button').at(-1)!
  expect(button.textContent.trim()).toBe('Glossary')
  await person.click(button)
  expect(terms()).toEqual(glossary().map(({ term }) => term))
  await person.keyboard('{Escape}')
  await settle()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(button)
})

test('the search has the focus, narrows the terms down, and says how many are left', async () => {
  const { person } = await open(App, emptyWorld(), '#/settings')
  await person.click(screen.getByRole('button', { name: 'Glossary' }))
  await settle()
  const search = screen.getByRole('searchbox', { name: 'Search the glossary' })
  expect(document.activeElement).toBe(search)
  await person.keyboard('keyring')
  expect(terms()).toEqual(['Secret'])
  expect(within(sheet()).getByRole('status').textContent).toBe('1 term')
  await person.clear(search)
  await person.type(search, 'TOOL')
  expect(terms()[0]).toBe('Tool')
  expect(terms().length).toBeGreaterThan(1)
  await person.type(search, ' nowhere')
  expect(terms()).toEqual([])
  expect(sheet().textContent).toContain('No term holds these words.')
})

test('what is called by a word stands before what is explained by it', () => {
  const term = (id: string, means: string) => ({ id, term: id, means })
  const all = [term('Call', 'One use of a tool.'), term('Tool', 'Does something.')]
  expect(holding(all, 'tool').map(({ id }) => id)).toEqual(['Tool', 'Call'])
  expect(holding(all, 'use tool').map(({ id }) => id)).toEqual(['Call'])
  expect(holding(all, ' ')).toEqual(all)
})

test('every term stands with its meaning, and what scrolls is reached by the keyboard', async () => {
  const { person } = await open(App, emptyWorld(), '#/settings')
  await person.click(screen.getByRole('button', { name: 'Glossary' }))
  for (const dt of sheet().querySelectorAll('dt')) {
    expect(dt.closest('dl')).not.toBeNull()
    expect(dt.nextElementSibling?.tagName).toBe('DD')
  }
  await person.tab()
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Glossary' }))
})
