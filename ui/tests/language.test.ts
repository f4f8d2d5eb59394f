/** Promises of how the window comes by its texts. */
import { expect, test, vi } from 'vitest'
import type * as Messages from '../src/messages'

/** The messages of a window that has just been opened. */
async function anew(): Promise<typeof Messages> {
  vi.resetModules()
  return import('../src/messages')
}

test('the language stays as it is until the texts of the chosen one are there', async () => {
  const { language, m } = await anew()
  await language.load()
  const before = m('nav.servers')

  language.choose('zh-CN')
  expect([language.choice, language.current, m('nav.servers')]).toEqual(['zh-CN', 'en', before])

  await language.load()
  expect([language.current, document.documentElement.lang]).toEqual(['zh-CN', 'zh-CN'])
  expect(m('nav.servers')).not.toBe(before)
})

test('of two languages chosen one after the other, the second stays', async () => {
  const { language } = await anew()
  await language.load()
  language.choose('zh-CN')
  language.choose('en')
  language.choose('zh-CN')
  language.choose('en')
  await language.load()
  await new Promise((next) => setTimeout(next, 50))
  expect([language.current, document.documentElement.lang]).toEqual(['en', 'en'])
})

test('a window that opens in Chinese has no other texts', async () => {
  localStorage.setItem('majordomo.language', 'zh-CN')
  vi.doMock('../src/messages/en.json', () => {
    throw new Error('the English texts were loaded')
  })
  const { language, m } = await anew()
  await language.load()
  expect([language.current, m('nav.servers')]).toEqual(['zh-CN', '服务器'])
  vi.doUnmock('../src/messages/en.json')
})
