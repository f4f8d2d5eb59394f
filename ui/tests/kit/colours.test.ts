/** Promises of code in colours: it is the same code. */
import { fireEvent, render, screen } from '@testing-library/svelte'
import { describe, expect, test } from 'vitest'
import Markdown from '../../src/kit/Markdown.svelte'
import {
  MAX_CHARACTERS,
  MAX_LINES,
  colouredPieces,
  type CodePiece,
} from '../../src/kit/markdown/colours'
import { highlighter } from '../../src/kit/markdown/languages'
import { until } from '../support'

const CODE = `/* a */ // b # c -- d
fn main(x: &'a str) -> i32 { let y = "z\\n\${x}"; return 0x1F + y?.len(); }
<a href="x">&amp;</a> <script>alert('x')</script> <style>p { color: red }</style>
def f(self): 'ü 🙂 \u202e'; @x class A { $a = /b[/]c/g; }
\`\`\`js
x => \`\${y}\`
\`\`\`
{"a": [1, true, null]} - b: *c
SELECT * FROM t WHERE a <> 'b' --
diff --git a/x b/x
+added &lt;
-removed
<?php echo "<b>"; ?>`
const JUNK = [
  '',
  '\n',
  '<',
  '&',
  '&amp;&lt;',
  '</span>',
  '<span class="hljs-x">',
  '"\'`',
  '\0\r\n\t',
  '\ud83d',
  '🙂🙂',
]

const joined = (found: CodePiece[] | null): string | undefined =>
  found?.map(({ text }) => text).join('')
const roles = (text: string, language: string): string[] =>
  (colouredPieces(highlighter, text, language) ?? []).map((piece) => `${piece.role}: ${piece.text}`)

const HOSTILE = [
  'a '.repeat(40),
  'a'.repeat(64),
  '"',
  '(',
  '{',
  '<a ',
  '/',
  '_',
  '`${',
  '[',
  'a<',
  '\\',
  '# ',
]

describe.each(highlighter.listLanguages())('%s', (language) => {
  test('keeps the code as it is, whatever it is', () => {
    for (const text of [CODE, ...JUNK, CODE.split('').reverse().join(''), ...CODE.split('\n')])
      expect(joined(colouredPieces(highlighter, text, language))).toBe(text)
  })

  test('is soon done with what was made to take long', () => {
    const limit = language === 'csharp' ? 4_900 : MAX_CHARACTERS - 100
    for (const line of HOSTILE) {
      const text = `${line.repeat(Math.ceil(64 / line.length))}\n`
      const all = text.repeat(Math.min(limit / text.length, MAX_LINES - 1))
      const from = performance.now()
      expect(joined(colouredPieces(highlighter, all, language))).toBe(all)
      expect(performance.now() - from, line).toBeLessThan(5_000)
    }
  })

  test('cuts no character in two', () => {
    const found = colouredPieces(highlighter, `"🙂" 🙂 /* 🙂 */ 🙂🙂`, language)
    for (const { text } of found ?? [])
      expect(text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/)
  })
})

describe('what is said has a colour', () => {
  test('a keyword, a name, a text, a number and a comment', () => {
    expect(roles('fn main() { "a"; 1 } // b', 'rust')).toEqual(
      expect.arrayContaining([
        'keyword: fn',
        'name: main',
        'string: "a"',
        'number: 1',
        'comment: // b',
      ]),
    )
  })

  test('in another language within one', () => {
    expect(roles('<script>let a</script>', 'html')).toContain('keyword: let')
  })

  test.each(['rs', 'js', 'ts', 'py', 'sh', 'html', 'yml', 'c++', 'cs'])(
    'also by the short name %s',
    (name) => {
      expect(colouredPieces(highlighter, 'x', name)).not.toBeNull()
    },
  )
})

describe('code has no colours', () => {
  test('of a language that nobody knows', () => {
    for (const language of ['text', 'mermaid', '__proto__', 'constructor', ''])
      expect(colouredPieces(highlighter, 'x', language)).toBeNull()
  })

  test('where it is too long', () => {
    expect(colouredPieces(highlighter, '\n'.repeat(MAX_LINES - 1), 'rust')).not.toBeNull()
    expect(colouredPieces(highlighter, '\n'.repeat(MAX_LINES), 'rust')).toBeNull()
    expect(colouredPieces(highlighter, 'x '.repeat(MAX_CHARACTERS / 2), 'rust')).not.toBeNull()
    expect(colouredPieces(highlighter, 'x '.repeat(MAX_CHARACTERS / 2 + 1), 'rust')).toBeNull()
    expect(colouredPieces(highlighter, 'x '.repeat(2_501), 'csharp')).toBeNull()
    expect(colouredPieces(highlighter, 'x'.repeat(65), 'rust')).toBeNull()
  })
})

describe('code on the page', () => {
  const shown = (): string => document.querySelector('pre')?.textContent ?? ''
  const coloured = (): number => document.querySelectorAll('pre .keyword').length

  test('gets its colours when all of it is there, and shows what cannot be seen', async () => {
    const { rerender } = render(Markdown, { text: '```rust\nlet a = "b\u202e";' })
    await rerender({ text: '```rust\nlet a = "b\u202e";\n' })
    expect(coloured()).toBe(0)
    await rerender({ text: '```rust\nlet a = "b\u202e";\n```' })
    await until(() => expect(coloured()).toBe(1))
    expect(shown()).toBe('let a = "bU+202E";')
    expect(document.querySelector('pre .string .mark')).not.toBeNull()
  })

  test('that nobody knows is shown plainly', async () => {
    render(Markdown, { text: '```text\nlet a\n```' })
    await new Promise((done) => setTimeout(done, 50))
    expect(shown()).toBe('let a')
    expect(coloured()).toBe(0)
  })

  test('wraps its long lines until a person does not want it', async () => {
    render(Markdown, { text: '```\nlong\n```' })
    const button = screen.getByRole('button', { name: 'Wrap long lines' })
    expect(button.getAttribute('aria-pressed')).toBe('true')
    await fireEvent.click(button)
    expect(button.getAttribute('aria-pressed')).toBe('false')
    expect(document.querySelector('pre')?.classList.contains('whole')).toBe(true)
  })
})
