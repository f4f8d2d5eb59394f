/**
 * Formulas in Markdown: `$$…$$` and `\[…\]` on lines of their own, `\(…\)` and `$$…$$` within a line. A single `$` is money.
 *
 * Always true here: code is never a formula, and what nothing closes is text; a formula holds no empty line, so what comes
 * behind one changes nothing before it.
 */
import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'

/** How many characters a formula may have; a longer one is shown as code. */
export const LONGEST_FORMULA = 4_096

/** What begins a formula, with what closes it: on lines of its own, and within a line. */
const OWN_LINES: Record<string, string> = { $$: '$$', '\\[': '\\]' }
const IN_LINE: Record<string, string> = { $$: '$$', '\\(': '\\)' }

/** What may close a formula, or ends the search for it; a character behind a backslash is neither. */
const MARKS = /\\[\s\S]|\$+|[`\n]/g

/** The formula of a text between its delimiters, all of which have two characters. */
export function formulaOf(text: string): string {
  return text.slice(2, -2).trim()
}

/** Teaches a reader formulas: it then makes tokens `maths_block` and `maths_inline`, with their delimiters as content. */
export function readMaths(reader: MarkdownIt): void {
  reader.block.ruler.before('fence', 'maths_block', block, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
  reader.inline.ruler.before('escape', 'maths_inline', inline)
}

/** Up to where was searched, and whether there it is closed. */
interface Search {
  at: number
  closed: boolean
}

function search(text: string, from: number, end: number, close: string): Search {
  MARKS.lastIndex = from
  for (let mark = MARKS.exec(text); mark !== null && mark.index < end; mark = MARKS.exec(text)) {
    const [found] = mark
    if (found === close && mark.index + 2 <= end) return { at: mark.index, closed: true }
    if (found === '`' || (found === '\n' && close === '$$'))
      return { at: mark.index, closed: false }
  }
  return { at: end, closed: false }
}

/** How many dollars stand here. */
function dollars(text: string, from: number): number {
  let at = from
  while (text[at] === '$') at++
  return at - from
}

/** A line that begins with a delimiter begins a block: a formula where that is closed at the end of a line, else a paragraph. */
function block(state: StateBlock, first: number, last: number, silent: boolean): boolean {
  if (indent(state, first) >= 4) return false
  const beginning = line(state, first)
  const close = dollars(beginning, 0) > 2 ? undefined : OWN_LINES[beginning.slice(0, 2)]
  if (close === undefined) return false
  const { at, closed: isShort } = search(beginning, 2, beginning.length, close)
  if (isShort && !isEnd(beginning, at)) return false
  if (silent) return true

  let closed = isShort
  let next = first + 1
  for (; !closed && belongs(state, next, last); next++) {
    const text = line(state, next)
    const found = search(text, 0, text.length, close)
    closed = found.closed && isEnd(text, found.at)
    if (found.closed && !closed) break
  }
  const written = (): string => state.getLines(first, next, state.blkIndent, false).trim()
  if (closed && !written().includes('`') && formulaOf(written()) !== '') {
    const token = state.push('maths_block', '', 0)
    token.map = [first, next]
    token.content = written()
  } else {
    while (belongs(state, next, last)) next++
    state.push('paragraph_open', 'p', 1).map = [first, next]
    const token = state.push('inline', '', 0)
    token.content = written()
    token.map = [first, next]
    token.children = []
    state.push('paragraph_close', 'p', -1)
  }
  state.line = next
  return true
}

const indent = (state: StateBlock, at: number): number => (state.sCount[at] ?? 0) - state.blkIndent

const line = (state: StateBlock, at: number): string =>
  state.src.slice((state.bMarks[at] ?? 0) + (state.tShift[at] ?? 0), state.eMarks[at])

const isEnd = (text: string, close: number): boolean => text.slice(close + 2).trim() === ''

/** A formula ends at an empty line, with what it lies in, and at code. */
const belongs = (state: StateBlock, at: number, last: number): boolean =>
  at < last && !state.isEmpty(at) && indent(state, at) >= 0 && !/^(```|~~~)/.test(line(state, at))

/** Up to where nothing closes a formula in a line: without it, much that is open would be searched again and again. */
const open = new WeakMap<StateInline, Record<string, number>>()

function inline(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  const run = dollars(src, pos)
  if (run > 2) {
    if (!silent) state.pending += src.slice(pos, pos + run)
    state.pos += run
    return true
  }
  const begin = src.slice(pos, pos + 2)
  const close = IN_LINE[begin]
  const given = open.get(state)?.[begin] ?? 0
  if (close === undefined || pos < given) return false
  const { at, closed } = search(src, pos + 2, posMax, close)
  if (!closed) open.set(state, { ...open.get(state), [begin]: at })
  if (!closed || src.slice(pos + 2, at).trim() === '') return false
  if (!silent) state.push('maths_inline', '', 0).content = src.slice(pos, at + 2)
  state.pos = at + 2
  return true
}
