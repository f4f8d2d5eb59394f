import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const tokens = readFileSync('src/tokens.css', 'utf8')
/** The declarations of every style block that match, with their files. */
function declarations(pattern: RegExp): string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(svelte|css)$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join('src', name), 'utf8')
      const style = name.endsWith('.css') ? text : (/<style>[\s\S]*<\/style>/.exec(text)?.[0] ?? '')
      return [...style.matchAll(pattern)].map(([found]) => `${name}: ${found}`)
    })
}

test('type has three weights, at most seven sizes and four line heights', () => {
  const named = (prefix: string): number =>
    [...tokens.matchAll(new RegExp(`^ {2}--${prefix}-[a-z]+:`, 'gm'))].length
  expect(named('weight')).toBe(3)
  expect(named('size')).toBeLessThanOrEqual(7)
  expect(named('leading')).toBe(4)
})

test('no component has a weight, a size or a line height of its own', () => {
  expect(declarations(/font-weight: (?!var\(|inherit)[^;]+/g)).toEqual([])
  expect(declarations(/font-size: (?!var\(|inherit)[^;]+/g)).toEqual([])
  expect(declarations(/line-height: (?!var\()(?!0;)[^;]+/g)).toEqual([])
  expect(
    declarations(
      /font: (?!inherit)(?!(?:var\(--weight-\w+\) )?var\(--size-\w+\)( \/ var\(--leading-\w+\))? )[^;]+/g,
    ),
  ).toEqual([])
})

test('what cannot be pressed now looks so in one way, be it a button, a field or an entry of a menu', () => {
  const dimmed = declarations(/opacity: [^;]+/g)
  for (const name of ['kit/Button', 'kit/IconButton', 'kit/Menu', 'kit/Switch', 'kit/TextInput'])
    expect(dimmed.filter((found) => found.startsWith(name))).toEqual([
      `${name}.svelte: opacity: var(--dimmed)`,
    ])
})

test('a button that waits and keeps the focus looks like one that cannot be pressed', () => {
  const [dimmed, ...others] = declarations(/[^{}]+\{[^{}]*var\(--dimmed\)/g).filter((found) =>
    found.startsWith('kit/Button'),
  )
  expect(others).toEqual([])
  expect(dimmed).toContain("button:is(:disabled, [aria-disabled='true'])")
  const hovered = declarations(/[^{}]*:hover[^{}]*\{/g).filter((found) =>
    found.startsWith('kit/Button'),
  )
  for (const found of hovered) expect(found).toContain(":not(:disabled, [aria-disabled='true'])")
})
