/**
 * Reads Markdown into a small tree of things that can be drawn.
 *
 * Always true here: HTML is text; no address is followed or loaded; what is read from a text of n characters holds at most
 * n characters, nested at most {@link DEEPEST} deep.
 */
import MarkdownIt, { type Token } from 'markdown-it'
import { LONGEST_FORMULA, readMaths } from './maths'

/** How deep quotations, lists and emphasis may lie within one another; what lies deeper is text. */
export const DEEPEST = 20

/** A part of a line; of a formula, the text is its source with its delimiters. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'maths'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'em' | 'strike'; inside: Inline[] }
  | { kind: 'link'; address: string; inside: Inline[] }
  | { kind: 'image'; address: string; text: string }

/** How the cells of a column stand. */
export type Alignment = 'start' | 'center' | 'end'

/** A part of a text that stands by itself. Code is open while its end may not have come yet. */
export type Block =
  | { kind: 'paragraph'; inside: Inline[] }
  | { kind: 'heading'; level: number; inside: Inline[] }
  | { kind: 'code'; language: string; text: string; open: boolean }
  | { kind: 'maths'; text: string }
  | { kind: 'quote'; inside: Block[] }
  | { kind: 'list'; start: number | null; items: Block[][] }
  | { kind: 'table'; alignment: Alignment[]; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' }

/** A block at the top, with the line behind its last one, counted from 0. */
export interface Placed {
  block: Block
  end: number
}

// An address is text until a person asks for it, so every one may stand there: who draws decides.
const reader = new MarkdownIt({
  html: false,
  linkify: false,
  typographer: false,
  maxNesting: DEEPEST,
})
// A definition further down would change what stands above it, and a reply is drawn as it grows.
reader.disable(['reference', 'html_block', 'html_inline'])
reader.validateLink = () => true
readMaths(reader)

/** The blocks of a text. */
export function blocksOf(text: string): Block[] {
  return placedBlocksOf(text).map((placed) => placed.block)
}

/** The blocks of a text, with their places. */
export function placedBlocksOf(text: string): Placed[] {
  const tokens = new Tokens(reader.parse(text, {}))
  const placed: Placed[] = []
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    const end = token.map?.[1] ?? 0
    const block = blockOf(token, tokens)
    if (block !== null) placed.push({ block, end })
  }
  return placed
}

/** Tokens that are taken one after the other. */
class Tokens {
  readonly #tokens: Token[]
  #at = 0

  constructor(tokens: Token[]) {
    this.#tokens = tokens
  }

  next(): Token | undefined {
    return this.#tokens[this.#at++]
  }

  /** The line of text that belongs to the token before. */
  inline(): Inline[] {
    const line = this.next()
    const inside = line?.type === 'inline' ? inlinesOf(new Tokens(line.children ?? [])) : []
    this.next()
    return inside
  }

  /** What `take` makes of each token up to the one of this type. */
  until<T>(type: string, take: (token: Token) => T | null): T[] {
    const taken: T[] = []
    for (let token = this.next(); token !== undefined && token.type !== type; token = this.next()) {
      const made = take(token)
      if (made !== null) taken.push(made)
    }
    return taken
  }
}

function blockOf(token: Token, tokens: Tokens): Block | null {
  const blocks = (end: string): Block[] => tokens.until(end, (inner) => blockOf(inner, tokens))
  switch (token.type) {
    case 'paragraph_open':
      return { kind: 'paragraph', inside: tokens.inline() }
    case 'heading_open':
      return { kind: 'heading', level: Number(token.tag.slice(1)), inside: tokens.inline() }
    case 'fence':
    case 'code_block':
      return {
        kind: 'code',
        language: token.info.trim().split(/\s/, 1)[0] ?? '',
        text: token.content.replace(/\n$/, ''),
        open: isOpen(token),
      }
    case 'maths_block':
      return token.content.length > LONGEST_FORMULA
        ? { kind: 'code', language: '', text: token.content, open: false }
        : { kind: 'maths', text: token.content }
    case 'blockquote_open':
      return { kind: 'quote', inside: blocks('blockquote_close') }
    case 'bullet_list_open':
      return { kind: 'list', start: null, items: items(token, tokens, blocks) }
    case 'ordered_list_open':
      return {
        kind: 'list',
        start: Number(token.attrGet('start') ?? 1),
        items: items(token, tokens, blocks),
      }
    case 'table_open':
      return tableOf(tokens)
    case 'hr':
      return { kind: 'rule' }
    default:
      return null
  }
}

/** Whether no fence ends the code: then its lines and the fence that begins it are all of its lines. */
function isOpen(token: Token): boolean {
  const [first, end] = token.map ?? [0, 0]
  return (
    token.type === 'fence' && end - first === 1 + (token.content.match(/\n|[^\n]$/g) ?? []).length
  )
}

function items(token: Token, tokens: Tokens, blocks: (end: string) => Block[]): Block[][] {
  return tokens.until(token.type.replace('_open', '_close'), (inner) =>
    inner.type === 'list_item_open' ? blocks('list_item_close') : null,
  )
}

function tableOf(tokens: Tokens): Block {
  const alignment: Alignment[] = []
  const rows = tokens.until('table_close', (token) =>
    token.type !== 'tr_open'
      ? null
      : tokens.until('tr_close', (cell) => {
          if (cell.type === 'th_open') alignment.push(alignmentOf(cell))
          return tokens.inline()
        }),
  )
  const [head = [], ...rest] = rows
  return { kind: 'table', alignment, head, rows: rest }
}

function alignmentOf(cell: Token): Alignment {
  const style = attribute(cell, 'style')
  if (style.endsWith('center')) return 'center'
  return style.endsWith('right') ? 'end' : 'start'
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '')
}

function inlinesOf(tokens: Tokens, end = ''): Inline[] {
  return tokens.until(end, (token) => inlineOf(token, tokens))
}

function inlineOf(token: Token, tokens: Tokens): Inline | null {
  switch (token.type) {
    case 'text':
    case 'text_special':
      return token.content === '' ? null : { kind: 'text', text: token.content }
    case 'code_inline':
      return { kind: 'code', text: token.content }
    case 'maths_inline':
      return {
        kind: token.content.length > LONGEST_FORMULA ? 'code' : 'maths',
        text: token.content,
      }
    case 'softbreak':
      return { kind: 'text', text: '\n' }
    case 'hardbreak':
      return { kind: 'break' }
    case 'strong_open':
      return { kind: 'strong', inside: inlinesOf(tokens, 'strong_close') }
    case 'em_open':
      return { kind: 'em', inside: inlinesOf(tokens, 'em_close') }
    case 's_open':
      return { kind: 'strike', inside: inlinesOf(tokens, 's_close') }
    case 'link_open':
      return {
        kind: 'link',
        address: attribute(token, 'href'),
        inside: inlinesOf(tokens, 'link_close'),
      }
    case 'image':
      return { kind: 'image', address: attribute(token, 'src'), text: token.content }
    default:
      return token.content === '' ? null : { kind: 'text', text: token.content }
  }
}
