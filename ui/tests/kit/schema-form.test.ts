/** Promises of the form that is made from a stranger's schema. */
import { describe, expect, it, test } from 'vitest'
import { problemsOf } from '../../src/kit/form/formProblems'
import { beginning, pathKey, read, typed, write } from '../../src/kit/form/formValue'
import { fieldsOf, type Schema } from '../../src/kit/form/schemaForm'

const object = (properties: Record<string, unknown>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
})
const shapeOf = (part: unknown, more: Schema = {}) => fieldsOf(object({ x: part }, more))[0]!.shape

describe('every part of a schema becomes a field', () => {
  test.each([
    ['a text', { type: 'string' }, { kind: 'text', multiline: false }],
    ['an address', { type: 'string', format: 'uri' }, { kind: 'text', format: 'uri' }],
    [
      'a long text',
      { type: 'string', maxLength: 4000 },
      { kind: 'text', multiline: true, maxLength: 4000 },
    ],
    [
      'a whole number with bounds',
      { type: 'integer', minimum: 1, maximum: 5 },
      { kind: 'number', integer: true, minimum: 1, maximum: 5 },
    ],
    [
      'a bound of the newer drafts',
      { type: 'number', exclusiveMinimum: 0 },
      { kind: 'number', above: 0, minimum: null },
    ],
    [
      'a bound of draft 4',
      { type: 'number', minimum: 0, exclusiveMinimum: true },
      { kind: 'number', above: 0, minimum: null },
    ],
    ['a switch', { type: 'boolean' }, { kind: 'boolean' }],
    [
      'a choice',
      { type: 'string', enum: ['a', 'b'] },
      {
        kind: 'choice',
        options: [
          { value: 'a', label: 'a' },
          { value: 'b', label: 'b' },
        ],
      },
    ],
    [
      'a choice with names',
      { enum: [1, 2], enumNames: ['one', 'two'] },
      {
        kind: 'choice',
        options: [
          { value: 1, label: 'one' },
          { value: 2, label: 'two' },
        ],
      },
    ],
    [
      'constants of oneOf',
      { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
      {
        kind: 'choice',
        options: [
          { value: 'a', label: 'A' },
          { value: 'b', label: 'b' },
        ],
      },
    ],
    ['a constant', { const: 7 }, { kind: 'choice', options: [{ value: 7, label: '7' }] }],
    [
      'a list of texts',
      { type: 'array', items: { type: 'string' }, maxItems: 3 },
      { kind: 'list', item: { kind: 'text' }, maxItems: 3 },
    ],
    [
      'several of a choice',
      { type: 'array', items: { enum: ['a', 'b'] } },
      { kind: 'choices', options: [{ value: 'a' }, { value: 'b' }] },
    ],
    [
      'several of named constants',
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
      { kind: 'choices', options: [{ value: 'a', label: 'A' }] },
    ],
    [
      'a nested object',
      object({ y: { type: 'number' } }),
      { kind: 'group', fields: [{ name: 'y', shape: { kind: 'number' } }] },
    ],
    [
      'a nested object without a type',
      { properties: { y: { type: 'boolean' } } },
      { kind: 'group' },
    ],
    [
      'a list of objects',
      { type: 'array', items: object({ y: {} }) },
      { kind: 'list', item: { kind: 'group', fields: [{ name: 'y' }] } },
    ],
    [
      'a list of lists',
      { type: 'array', items: { type: 'array', items: { type: 'number' } } },
      { kind: 'list', item: { kind: 'list', item: { kind: 'number' } } },
    ],
    ['a list of anything', { type: 'array', items: {} }, { kind: 'json' }],
    ['a password', { type: 'string', format: 'password' }, { kind: 'text', secret: true }],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }, { kind: 'json' }],
    [
      'alternatives of objects',
      { oneOf: [object({ a: {} }), object({ b: {} })] },
      { kind: 'json' },
    ],
    ['anything', {}, { kind: 'json' }],
    ['true', true, { kind: 'json' }],
    ['nonsense', 'nonsense', { kind: 'json' }],
    ['an unknown type', { type: 'quaternion' }, { kind: 'json' }],
    ['two types', { type: ['string', 'number'] }, { kind: 'json' }],
  ])('%s', (_name, part, expected) => {
    expect(shapeOf(part)).toMatchObject(expected)
  })

  it('follows references inside the schema', () => {
    const more = { $defs: { 'a/b': { type: 'integer', title: 'Count' } } }
    expect(
      fieldsOf(object({ x: { $ref: '#/$defs/a~1b', description: 'mine' } }, more))[0],
    ).toMatchObject({
      label: 'Count',
      description: 'mine',
      shape: { kind: 'number', integer: true },
    })
    expect(shapeOf({ allOf: [{ $ref: '#/$defs/a~1b' }] }, more)).toMatchObject({ kind: 'number' })
  })

  it('follows a reference to an anchor', () => {
    const more = { $defs: { a: { $defs: { b: { $anchor: 'b', type: 'integer' } } } } }
    expect(shapeOf({ $ref: '#b' }, more)).toMatchObject({ kind: 'number' })
    expect(shapeOf({ $ref: '#c' }, more)).toEqual({ kind: 'json' })
  })

  it('follows no circle, no far reference and no depth without end', () => {
    const tree = object({ child: { $ref: '#/$defs/tree' }, name: { type: 'string' } })
    const child = shapeOf({ $ref: '#/$defs/tree' }, { $defs: { tree } })
    expect(child).toMatchObject({
      kind: 'group',
      fields: [{ name: 'child', shape: { kind: 'json' } }, { name: 'name' }],
    })
    expect(shapeOf({ $ref: '#/$defs/a' }, { $defs: { a: { $ref: '#/$defs/a' } } })).toEqual({
      kind: 'json',
    })
    expect(shapeOf({ $ref: 'https://example.com/schema.json' })).toEqual({ kind: 'json' })
    let deep: Schema = { type: 'string' }
    for (let depth = 0; depth < 50; depth += 1) deep = object({ x: deep })
    expect(JSON.stringify(fieldsOf(deep))).toContain('"json"')
  })

  it('reads "or null" as a field that may be left out', () => {
    const [either, list] = fieldsOf(
      object({
        a: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'A' },
        b: { type: ['integer', 'null'] },
      }),
    )
    expect(either).toMatchObject({ label: 'A', nullable: true, shape: { kind: 'text' } })
    expect(list).toMatchObject({ nullable: true, shape: { kind: 'number', integer: true } })
    expect(beginning([either!, list!])).toEqual({})
  })

  it('puts what is needed first and keeps the order otherwise', () => {
    expect(
      fieldsOf(object({ a: {}, b: {}, c: {}, d: {} }, { required: ['d', 'b'] })).map(
        (field) => field.name,
      ),
    ).toEqual(['b', 'd', 'a', 'c'])
  })

  test.each([
    [{}],
    [{ type: 'object' }],
    [{ properties: [] }],
    [{ properties: null, required: 3 }],
  ])('no fields for %j', (schema) => {
    expect(fieldsOf(schema as Schema)).toEqual([])
  })
})

describe('the value behind the form', () => {
  it('begins with the defaults and with what has one possibility', () => {
    const fields = fieldsOf(
      object(
        {
          unit: { enum: ['kg', 'lb'], default: 'kg' },
          version: { const: 2 },
          sure: { type: 'boolean' },
          maybe: { type: 'boolean' },
          inner: object({ depth: { type: 'number', default: 3 } }),
          note: { type: 'string' },
        },
        { required: ['version', 'sure', 'inner'] },
      ),
    )
    expect(beginning(fields)).toEqual({ unit: 'kg', version: 2, sure: false, inner: { depth: 3 } })
  })

  it('is written without changing what was there', () => {
    const before = { a: { b: [1, 2, 3] }, other: true }
    expect(write(before, ['a', 'b', 1], 9)).toEqual({ a: { b: [1, 9, 3] }, other: true })
    expect(write(before, ['a', 'b', 0], undefined)).toEqual({ a: { b: [2, 3] }, other: true })
    expect(write(before, ['a'], undefined)).toEqual({ other: true })
    expect(write({}, ['a', 'b'], 'new')).toEqual({ a: { b: 'new' } })
    expect(before).toEqual({ a: { b: [1, 2, 3] }, other: true })
  })

  it('treats the names of a stranger as names only', () => {
    const written = write({}, ['__proto__', 'polluted'], true)
    expect(Object.keys(written as object)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(read({}, ['constructor'])).toBeUndefined()
  })

  it('keeps a text that means no number', () => {
    const shape = shapeOf({ type: 'integer' })
    expect(typed(shape, '12')).toBe(12)
    expect(typed(shape, '1e')).toBe('1e')
    expect(typed(shape, ' ')).toBe(' ')
  })
})

describe('what is missing is said at its place', () => {
  const schema = object(
    {
      count: { type: 'integer', minimum: 1, maximum: 5 },
      step: { type: 'number', multipleOf: 0.1 },
      code: { type: 'string' },
      tags: { type: 'array', items: { type: 'integer' }, maxItems: 2 },
      inner: object({ name: { type: 'string', minLength: 2 } }, { required: ['name'] }),
      kind: { enum: ['a', 'b'] },
    },
    { required: ['count'] },
  )
  const fields = fieldsOf(schema)

  test.each([
    [{}, [['count'], { kind: 'needed' }]],
    [{ count: '' }, [['count'], { kind: 'needed' }]],
    [{ count: 'x' }, [['count'], { kind: 'no_number' }]],
    [{ count: 1.5 }, [['count'], { kind: 'no_integer' }]],
    [{ count: 0 }, [['count'], { kind: 'too_small', limit: 1 }]],
    [{ count: 6 }, [['count'], { kind: 'too_large', limit: 5 }]],
    [{ count: 1, step: 0.25 }, [['step'], { kind: 'no_multiple', limit: 0.1 }]],
    [{ count: 1, tags: [1, 'x'] }, [['tags', 1], { kind: 'no_number' }]],
    [{ count: 1, tags: [1, 2, 3] }, [['tags'], { kind: 'too_many', limit: 2 }]],
    [{ count: 1, inner: {} }, [['inner', 'name'], { kind: 'needed' }]],
    [{ count: 1, inner: { name: 'x' } }, [['inner', 'name'], { kind: 'too_short', limit: 2 }]],
    [{ count: 1, kind: 'c' }, [['kind'], { kind: 'no_option' }]],
  ] as const)('%j', (value, [path, problem]) => {
    expect([...problemsOf(fields, value)]).toEqual([[pathKey(path), problem]])
  })

  it('finds nothing wrong with what fits', () => {
    expect(
      problemsOf(fields, {
        count: 3,
        step: 0.3,
        code: 'EUR',
        tags: [1],
        inner: { name: 'xy' },
        kind: 'a',
      }).size,
    ).toBe(0)
  })

  test.each(['^(a+)+$', '^(a|a)*$', '^[A-Z]{3}$'])(
    'leaves the pattern %s to the host',
    (pattern) => {
      const fields = fieldsOf(object({ x: { type: 'string', pattern } }))
      expect(problemsOf(fields, { x: `${'a'.repeat(60)}!` }).size).toBe(0)
    },
  )
})

it('a whole number that would lose digits stays what was typed, and is told', () => {
  const [field] = fieldsOf(object({ x: { type: 'integer' } }))
  expect(typed(field!.shape, '9007199254740993')).toBe('9007199254740993')
  expect(typed(field!.shape, '9007199254740991')).toBe(9007199254740991)
  expect([...problemsOf([field!], { x: '9007199254740993' }).values()]).toEqual([
    { kind: 'rounded' },
  ])
})
