/** Promises of arguments that a person saves under a name. */
import { cleanup, screen, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { namesSecret, withoutSecrets } from '../../src/kit/form/secrets'
import ToolBench from '../../src/parts/tools/ToolBench.svelte'
import { SavedArguments } from '../../src/state/savedArguments'
import { LONGEST_NAME, MOST } from '../../src/state/savedList.svelte'
import { connected, leave, toolView } from '../ours'
import { render } from '../support'

const KEPT_AS = 'majordomo.arguments'
const set = (name: string, tool = 'write_file', value: Record<string, unknown> = {}) => ({
  server: 'files',
  tool,
  name,
  arguments: value,
})

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  leave()
  localStorage.clear()
})

describe('on the bench', () => {
  const TOOL = toolView({
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        login: { type: 'string', format: 'password' },
      },
    },
  })
  const path = () => screen.getByLabelText<HTMLInputElement>('path')

  async function saveAs(name: string): Promise<ReturnType<typeof userEvent.setup>> {
    const user = userEvent.setup()
    await user.click(screen.getByRole('button', { name: 'Saved arguments' }))
    await user.type(await screen.findByLabelText('Name of these arguments'), name)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    return user
  }

  it('they are saved, chosen in another visit, and removed', async () => {
    await connected()
    render(ToolBench, { tool: TOOL, ready: true, prefilled: { path: '/a' } })
    await saveAs('the usual')
    cleanup()
    leave()

    await connected()
    render(ToolBench, { tool: TOOL, ready: true })
    const user = userEvent.setup()
    expect(path().value).toBe('')
    await user.click(screen.getByRole('button', { name: 'Saved arguments' }))
    await user.click(await screen.findByRole('button', { name: 'the usual' }))
    expect(path().value).toBe('/a')

    await user.click(screen.getByRole('button', { name: 'Saved arguments' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(
      within(dialog).getByRole('button', { name: 'Remove the saved arguments the usual' }),
    )
    expect(within(dialog).getByText(/Nothing saved yet/)).toBeTruthy()
    expect(localStorage.getItem(KEPT_AS)).toBe('[]')
  })

  it('a secret is never stored, and the person is told', async () => {
    await connected()
    const value = { path: '/a', login: 'hunter2', api_token: 'tok_9' }
    render(ToolBench, { tool: TOOL, ready: true, prefilled: value })
    const user = userEvent.setup()
    await user.click(screen.getByRole('button', { name: 'Saved arguments' }))
    expect(await screen.findByText(/these are left out: login, api_token/)).toBeTruthy()
    await user.type(screen.getByLabelText('Name of these arguments'), 'x')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(localStorage.getItem(KEPT_AS)).toContain('/a')
    expect(localStorage.getItem(KEPT_AS)).not.toMatch(/hunter2|tok_9/)
  })
})

describe('what is kept', () => {
  it('has a bound for each tool, and a name makes way for itself', () => {
    const saved = new SavedArguments()
    for (let n = 0; n < MOST + 5; n += 1) saved.save(set(`set ${n}`))
    expect(saved.of('files', 'write_file')).toHaveLength(MOST)
    expect(saved.save(set('another', 'read_file'))).toBe(true)
    expect(saved.save(set('set 3', 'write_file', { path: '/new' }))).toBe(true)
    expect(saved.of('files', 'write_file')).toHaveLength(MOST)
    expect(saved.of('files', 'write_file').find(({ name }) => name === 'set 3')?.arguments).toEqual(
      { path: '/new' },
    )
  })

  it('has names that are not too long', () => {
    const saved = new SavedArguments()
    saved.save(set('x'.repeat(200)))
    expect(saved.of('files', 'write_file')[0]?.name).toHaveLength(LONGEST_NAME)
  })

  test.each([
    '{',
    '3',
    '[1, null, {"name": "x"}]',
    '[{"server":"files","tool":"write_file","name":"x","arguments":[]}]',
  ])('is nothing where %s lies in its place', (text) => {
    localStorage.setItem(KEPT_AS, text)
    expect(new SavedArguments().of('files', 'write_file')).toEqual([])
  })
})

describe('what may be secret', () => {
  test.each([
    'password',
    'dbPassword',
    'API_KEY',
    'apiKey',
    'client-secret',
    'accessToken',
    'pin',
    'Authorization',
    '密码',
  ])('a text called %s', (name) => expect(namesSecret(name, 'x')).toBe(true))

  test.each([
    ['path', 'x'],
    ['keyboard', 'x'],
    ['compass', 'x'],
    ['spin', 'x'],
    ['max_tokens', 100],
    ['follow_cookies', true],
  ])('not %s of %j', (name, value) => expect(namesSecret(name, value)).toBe(false))

  it('is found at any depth, through references and alternatives', () => {
    const schema = {
      type: 'object',
      properties: {
        sign_in: { $ref: '#/$defs/login' },
        code: { anyOf: [{ type: 'string', format: 'password' }, { type: 'null' }] },
        list: { type: 'array', items: { $ref: '#/$defs/login' } },
        codes: { type: 'array', items: { type: 'string', writeOnly: true } },
        free: {},
      },
      $defs: {
        login: {
          type: 'object',
          properties: { user: { type: 'string' }, phrase: { type: 'string', writeOnly: true } },
        },
      },
    }
    const login = { user: 'ada', phrase: 'x' }
    const value = {
      sign_in: login,
      code: 'y',
      list: [login],
      codes: ['z'],
      free: { token: 't', a: 2 },
    }
    expect(withoutSecrets(schema, value)).toEqual({
      value: { sign_in: { user: 'ada' }, list: [{ user: 'ada' }], codes: [], free: { a: 2 } },
      left: ['phrase', 'code', 'phrase', 'codes', 'token'],
    })
  })

  const secret = { type: 'string', writeOnly: true }
  const anchored = { ...secret, $anchor: 's' }
  const t = { type: 'string', $anchor: 't' }
  test.each([
    ['patterns of names', { patternProperties: { '^x': secret } }, { x: 'a' }, {}, ['x']],
    [
      'places in a list',
      { properties: { l: { prefixItems: [{}, secret] } } },
      { l: ['a', 'b'] },
      { l: [] },
      ['l'],
    ],
    [
      'conditions',
      { if: {}, then: { properties: { x: secret } } },
      { x: 'a', y: 1 },
      { y: 1 },
      ['x'],
    ],
    [
      'what depends',
      { dependentSchemas: { y: { properties: { x: secret } } } },
      { x: 'a' },
      {},
      ['x'],
    ],
    [
      'what depends, as it was written before',
      { dependencies: { y: { properties: { x: secret } }, z: ['y'] } },
      { x: 'a' },
      {},
      ['x'],
    ],
    [
      'what holds for all names that nothing else is said of',
      { properties: { y: {} }, unevaluatedProperties: secret },
      { x: 'a', y: 1 },
      { y: 1 },
      ['x'],
    ],
    [
      'an anchor',
      { properties: { x: { $ref: '#s' }, y: { $ref: '#t' } }, $defs: { s: anchored, t } },
      { x: 'a', y: 'b' },
      { y: 'b' },
      ['x'],
    ],
    [
      'an anchor that moves, wherever it stands',
      {
        properties: { x: { $dynamicRef: '#s' }, y: { $ref: '#s' } },
        $defs: {
          t: { $dynamicAnchor: 's' },
          s: { allOf: [{}, { ...secret, $dynamicAnchor: 's' }] },
        },
      },
      { x: 'a', y: 'b', z: 'c' },
      { z: 'c' },
      ['x', 'y'],
    ],
    [
      'a place in a list of alternatives',
      { properties: { x: { $ref: '#/anyOf/1' } }, anyOf: [{}, secret] },
      { x: 'a' },
      {},
      ['x'],
    ],
    [
      'what a part refers to, whatever stands beside the reference',
      {
        properties: { x: { $ref: '#/$defs/s', writeOnly: false }, y: { $ref: '#/$defs/s' } },
        $defs: { s: secret },
      },
      { x: 'a', y: 'b' },
      {},
      ['x', 'y'],
    ],
    [
      'what a part with properties has to be besides',
      { properties: { y: {} }, allOf: [{ properties: { x: secret } }] },
      { x: 'a', y: 1 },
      { y: 1 },
      ['x'],
    ],
    [
      'one of two references',
      {
        properties: { x: { $ref: '#/$defs/t', allOf: [{ $ref: '#/$defs/s' }] } },
        $defs: { s: secret, t: {} },
      },
      { x: 'a' },
      {},
      ['x'],
    ],
  ])('is found by %s', (_, schema, value, kept, left) => {
    expect(withoutSecrets(schema, value)).toEqual({ value: kept, left })
  })

  it('is the value beside a name that says so', () => {
    const headers = [
      { name: 'Authorization', value: 'Bearer x' },
      { name: 'Accept', value: 'text/html' },
    ]
    expect(withoutSecrets({}, { headers })).toEqual({
      value: { headers: [{ name: 'Authorization' }, headers[1]] },
      left: ['value'],
    })
  })

  it('is looked for without end nowhere', () => {
    const schema = { properties: { a: { $ref: '#' } }, anyOf: [{ $ref: '#' }] }
    expect(withoutSecrets(schema, { a: { a: { b: 1 } } }).left).toEqual([])
  })

  describe('is what was not looked at, too:', () => {
    const MANY = 300
    const alternatives = (marked: number) =>
      Array.from({ length: MANY }, (_, at) => (at === marked ? secret : { const: at }))

    test.each([0, MANY / 2, MANY - 1])('of very many alternatives, the one at %i', (marked) => {
      const schema = { properties: { x: { anyOf: alternatives(marked) }, y: {} } }
      expect(withoutSecrets(schema, { x: 'a', y: 'b' })).toEqual({ value: { y: 'b' }, left: ['x'] })
    })

    it('of more alternatives than anybody writes, any', () => {
      const schema = { properties: { x: { anyOf: Array.from({ length: 300_000 }, () => ({})) } } }
      expect(withoutSecrets(schema, { x: 'a' })).toEqual({ value: {}, left: ['x'] })
    })

    it('of very many kinds of entries, one', () => {
      const schema = { properties: { l: { items: { anyOf: alternatives(0) } } } }
      expect(withoutSecrets(schema, { l: ['a'] })).toEqual({ value: { l: [] }, left: ['l'] })
    })

    it('of very many alternatives for all of it, a value of one', () => {
      const schema = { oneOf: alternatives(-1).map(() => ({ properties: {} })) }
      expect(withoutSecrets(schema, { x: 'a', y: ['b'], z: { c: 1 } })).toEqual({
        value: {},
        left: ['x', 'y', 'z'],
      })
    })

    test.each([
      { $ref: '#/$defs/none' },
      { $ref: '#none' },
      { $ref: '#/$defs/number' },
      { $ref: 'https://example.com/schema.json' },
      { $ref: 7 },
      { $dynamicRef: '#none' },
      { $recursiveRef: 'none' },
    ])('what %j leads to', (part) => {
      const schema = { properties: { x: { anyOf: [{}, part] }, y: {} }, $defs: { number: 1 } }
      expect(withoutSecrets(schema, { x: 'a', y: 'b' })).toEqual({ value: { y: 'b' }, left: ['x'] })
      expect(withoutSecrets(part, { x: 'a' })).toEqual({ value: {}, left: ['x'] })
    })

    it('but not what may be anything', () => {
      const schema = {
        properties: { x: { $ref: '#/$defs/any' }, y: { $ref: '#' }, z: { $ref: '' } },
        $defs: { any: true },
      }
      const value = { x: 'a', y: { x: 'b' }, z: { x: 'c' } }
      expect(withoutSecrets(schema, value)).toEqual({ value, left: [] })
    })

    it('but not what was looked at already, where a schema refers to itself', () => {
      const node = {
        properties: {
          name: { type: 'string' },
          next: { anyOf: [{ $ref: '#/$defs/node' }, { $ref: '#/$defs/list' }, { type: 'null' }] },
        },
        anyOf: [{ $ref: '#/$defs/node' }, { allOf: [{ $ref: '#/$defs/list' }, {}] }],
      }
      const list = { type: 'array', items: { $ref: '#/$defs/node' }, oneOf: [{ $ref: '#' }] }
      const schema = { $ref: '#/$defs/node', $defs: { node, list } }
      const value = { name: 'a', next: { name: 'b', next: [{ name: 'c', next: null }] } }
      expect(withoutSecrets(schema, value)).toEqual({ value, left: [] })
    })
  })
})
