/** Promises of whose words a value is: each is said beside the value itself, and nothing is said of one that was changed. */
import { expect, it } from 'vitest'
import { wordsBeside } from '../../src/parts/consent/valueSources'
import type { Origin, ValueSource } from '../../src/host/types.gen'

const source = (argument: string, value: string, origin: Origin): ValueSource => ({
  argument,
  value,
  source: { ...origin, message: null, at: null },
})

const SOURCES = [
  source('to', 'ann@x.example', { kind: 'person' }),
  source('to', 'billing@evil.example', { kind: 'tool', server: 'web', tool: 'read_page' }),
  source('about.berth', 'B-117', { kind: 'attachment', name: 'list.txt' }),
  source('note', 'see you', { kind: 'unknown' }),
]

it('each value has its own words beside it', () => {
  const args = {
    to: ['ann@x.example', 'billing@evil.example'],
    about: { berth: 'B-117', note: 'x' },
    note: 'see you',
  }
  expect(Object.fromEntries(wordsBeside(SOURCES, args))).toEqual({
    'to[0]': 'from your own words',
    'to[1]': 'from the result of read_page on web',
    'about.berth': 'from “list.txt”, which you attached',
    note: 'put together by the model',
  })
})

it('of a value that was changed nothing is said', () => {
  const args = { to: ['bob@x.example'], note: 'see you soon' }
  expect(wordsBeside(SOURCES, args).size).toBe(0)
})
