/** Promises of the check marks: what is checked is what the host gives, whatever was pressed before. */
import { describe, expect, it } from 'vitest'
import type { ToolSelection } from '../../src/host/types.gen'
import {
  givenOf,
  givesLater,
  hasTool,
  isSameSelection,
  withLater,
  withServer,
  withTool,
  type ServerTools,
} from '../../src/parts/clients/selection'

const FILES: ServerTools = { server: 'files', tools: ['list', 'read', 'write'] }
const MAIL: ServerTools = { server: 'mail', tools: ['send'] }
const ALL: ToolSelection = { kind: 'all' }
const NOTHING: ToolSelection = { kind: 'only', parts: [] }

/** The check marks of all tools, as the host reads the selection. */
const marks = (selection: ToolSelection): string =>
  [FILES, MAIL]
    .flatMap(({ server, tools }) =>
      tools.filter((tool) => hasTool(selection, server, tool)).map((tool) => `${server}.${tool}`),
    )
    .join(' ')

it('everything is given until something is taken out, and then that is lacking', () => {
  const without = withTool(ALL, FILES, 'write', false)
  expect(without).toEqual({ kind: 'except', parts: [{ server: 'files', tools: ['write'] }] })
  expect(marks(without)).toBe('files.list files.read mail.send')
  expect([givenOf(without, 'files'), givenOf(without, 'mail')]).toEqual(['some', 'all'])
  expect(withTool(without, FILES, 'write', true)).toEqual(ALL)
})

it('of a whole server one tool can be taken out, and the others stay', () => {
  const whole = withServer(NOTHING, 'files', true)
  expect(givenOf(whole, 'files')).toBe('all')
  expect(marks(withTool(whole, FILES, 'write', false))).toBe('files.list files.read')
  const none = withServer(ALL, 'files', false)
  expect(givenOf(none, 'files')).toBe('none')
  expect(marks(withTool(none, FILES, 'read', true))).toBe('files.read mail.send')
})

it('a server of which nothing is left is not given', () => {
  const one = withTool(NOTHING, MAIL, 'send', true)
  expect(givenOf(one, 'mail')).toBe('some')
  expect(withTool(one, MAIL, 'send', false)).toEqual(NOTHING)
})

it('a server is meant however its name is written', () => {
  expect(hasTool({ kind: 'only', parts: [{ server: 'Files', tools: null }] }, 'files', 'x')).toBe(
    true,
  )
})

describe('what comes later', () => {
  const some = withTool(withServer(NOTHING, 'mail', true), FILES, 'read', true)

  it('is given or not, and no check mark changes by that', () => {
    for (const selection of [ALL, NOTHING, some, withTool(ALL, FILES, 'write', false)]) {
      const later = withLater(selection, !givesLater(selection), [FILES, MAIL])
      expect(givesLater(later)).toBe(!givesLater(selection))
      expect(marks(later)).toBe(marks(selection))
    }
  })

  it('is new servers and tools: one that nobody has checked is given only then', () => {
    expect(hasTool(some, 'new', 'tool')).toBe(false)
    expect(hasTool(withLater(some, true, [FILES, MAIL]), 'new', 'tool')).toBe(true)
    expect(hasTool(withLater(some, true, [FILES, MAIL]), 'files', 'new')).toBe(true)
    expect(hasTool(some, 'files', 'new')).toBe(false)
  })
})

it('two selections are the same whatever their order', () => {
  const parts = [
    { server: 'files', tools: ['read', 'list'] },
    { server: 'mail', tools: null },
  ]
  const turned = [parts[1]!, { server: 'files', tools: ['list', 'read'] }]
  expect(isSameSelection({ kind: 'only', parts }, { kind: 'only', parts: turned })).toBe(true)
  expect(isSameSelection({ kind: 'only', parts }, { kind: 'except', parts })).toBe(false)
})
