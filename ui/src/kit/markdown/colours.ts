/**
 * Code in colours: pieces of a text, each with the role that it has in its language.
 *
 * Always true here: joined together, the pieces are the text; what has no known language or is too long has no pieces.
 */
import type { HLJSApi } from 'highlight.js'
import { Lazy } from './lazy.svelte'

/** How many lines and characters code may have that gets colours. */
export const MAX_LINES = 2_000
export const MAX_CHARACTERS = 50_000

/** Some grammars look at a word again for each of its letters, and that of C# at all of the text for each of its words. */
const LONG_WORD = /\w{65}/
const MAX_OF: Record<string, number> = { 'C#': 5_000 }

/** What a piece is. Each one has a colour of its own, so there are few. */
export type Role = 'comment' | 'keyword' | 'string' | 'number' | 'name' | 'attribute'

/** A piece of code. */
export interface CodePiece {
  text: string
  role: Role | null
}

/** What knows the languages, once some code needs it. */
export const highlighter = new Lazy(async () => (await import('./languages')).highlighter)

const SCOPES: Record<Role, string[]> = {
  comment: ['comment', 'quote'],
  keyword: ['keyword', 'selector-tag', 'operator', 'template-tag'],
  string: ['string', 'regexp', 'char', 'code', 'link', 'addition'],
  number: ['number', 'literal', 'symbol', 'bullet', 'deletion'],
  name: ['title', 'type', 'class', 'built_in', 'name', 'section', 'selector-class', 'selector-id'],
  attribute: ['attr', 'attribute', 'property', 'variable', 'meta', 'template-variable', 'doctag'],
}
const ROLES = new Map(
  Object.entries(SCOPES).flatMap(([role, scopes]) =>
    scopes.map((scope) => [scope, role as Role] as const),
  ),
)

/** What the markup of the highlighter consists of: it holds no other tags and entities. */
const MARKUP = /<span class="([^"]*)">|(<\/span>)|&(amp|lt|gt|quot|#x27);|[^<&]+/g
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/** The pieces of code, or nothing where it stays as it is. */
export function colouredPieces(
  { getLanguage, highlight }: HLJSApi,
  text: string,
  language: string,
): CodePiece[] | null {
  const name = getLanguage(language)?.name
  if (name === undefined || text.length > (MAX_OF[name] ?? MAX_CHARACTERS)) return null
  if (text.split('\n', MAX_LINES + 1).length > MAX_LINES || LONG_WORD.test(text)) return null
  const found = piecesOf(highlight(text, { language, ignoreIllegals: true }).value)
  return found.map((piece) => piece.text).join('') === text ? found : null
}

function piecesOf(markup: string): CodePiece[] {
  const found: CodePiece[] = []
  const roles: (Role | null)[] = [null]
  for (const [token, classes, end, entity] of markup.matchAll(MARKUP)) {
    const role = roles.at(-1) ?? null
    if (classes !== undefined) roles.push(roleOf(classes) ?? role)
    else if (end !== undefined) roles.pop()
    else add(found, entity === undefined ? token : (ENTITIES[entity] ?? token), role)
  }
  return found
}

function roleOf(classes: string): Role | undefined {
  return ROLES.get((classes.split(' ', 1)[0] ?? '').replace(/^hljs-/, ''))
}

function add(found: CodePiece[], text: string, role: Role | null): void {
  const last = found.at(-1)
  // A character of two halves stays whole: one half is drawn as something that cannot be seen.
  if (last && (last.role === role || /[\ud800-\udbff]$/.test(last.text))) last.text += text
  else found.push({ text, role })
}
