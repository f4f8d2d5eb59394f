/**
 * Draws a formula in MathML.
 *
 * Always true here: what is drawn are the elements, attributes and styles of the lists below; no formula defines macros, has
 * colours or draws far outside of its place, so that nothing hides in one; what cannot be drawn is left to be shown as code.
 */
import type temml from 'temml'
import { pieces } from '../visible'
import { Lazy } from './lazy.svelte'

/** How deep the parts of a formula may lie within one another, and how many it may have. */
const DEEPEST = 60
const MOST = 4_000

const MATHML = 'http://www.w3.org/1998/Math/MathML'

const words = (list: string): Set<string> => new Set(list.split(' '))

const ELEMENTS = words(
  'math mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt mstyle ' +
    'msub msubsup msup mtable mtd mtext mtr munder munderover none',
)

const ATTRIBUTES = words(
  'accent accentunder depth display displaystyle fence form height largeop linethickness lspace ' +
    'mathvariant maxsize minsize movablelimits rspace scriptlevel separator stretchy symmetric voffset width',
)

const CLASSES = words(
  'tml-left tml-right tml-overline tml-underline tml-cancel upstrike downstrike sout tml-xcancel',
)

/** Styles, by their names in CSS. They are set one by one: the pages allow no styles in markup. */
const STYLES = words(
  'border border-top border-right border-bottom border-left math-depth padding padding-top padding-right ' +
    'padding-bottom padding-left width',
)

/** Words, and lengths up to a few lines. */
const VALUE = /^(?:[a-z-]+|[+-]?(?:\d{1,2}|\d{0,2}\.\d+)(?:em|ex|pt|px)?|100%|\d{1,2}(?:\.\d+)?%)$/
const LINE = /^[\d.]+(?:em|pt|px) (?:solid|dashed|double)$/

/** What cannot be seen and yet belongs to a formula: spaces, and operators that are only meant. */
const MEANT = /[\u00a0\u2000-\u200b\u2061-\u2064]/

/**
 * What a formula may not say: new words can grow without end, a character by its number can be any, and what is set twice (as
 * in chemistry) takes twice as long for each of its kind that lies in another one.
 */
const FORBIDDEN = new RegExp(
  `\\\\(?:${[
    '@?char|definecolor|[egx]?def|futurelet|global|let|long|(?:new|provide|renew)command',
    'cancelto|ce|equilibrium(?:Left|Right)|(?:math)?llap|pu',
  ].join('|')})(?![A-Za-z@])`,
)

/** A part of what the typesetter makes: an element, a text, or a list of them. */
interface Part {
  type?: string
  text?: string
  attributes?: Record<string, unknown>
  classes?: string[]
  style?: Record<string, unknown>
  children?: Part[]
}

/** What sets formulas, once there is one. */
export const typesetter = new Lazy(async () => (await import('temml')).default)

/** A formula as it is drawn, in a line or on a line of its own; nothing where it cannot be. */
export function mathsElement(
  { __renderToMathMLTree: treeOf }: typeof temml,
  formula: string,
  block: boolean,
): Element | null {
  if (FORBIDDEN.test(formula)) return null
  if (pieces(formula).some(({ kind, text }) => kind === 'mark' && text !== '\n')) return null
  try {
    const tree: Part = treeOf(formula, {
      displayMode: block,
      throwOnError: true,
      trust: false,
      maxExpand: 300,
      maxSize: [40, 400],
    })
    const host = document.createDocumentFragment()
    draw(host, tree, 0, { left: MOST })
    const math = host.firstElementChild
    if (math?.localName !== 'math') return null
    math.setAttribute('aria-label', formula)
    return math
  } catch {
    return null
  }
}

function draw(host: ParentNode, part: Part, depth: number, count: { left: number }): void {
  if (depth > DEEPEST || --count.left < 0) throw new RangeError('a formula is too large')
  const { type, text, children = [] } = part
  if (text !== undefined) host.append(seen(text))
  else if (type === undefined) for (const child of children) draw(host, child, depth + 1, count)
  else {
    // Not every engine knows frames and lines through a part: those are a matter of styles.
    const isFrame = type === 'menclose'
    if (!isFrame && !ELEMENTS.has(type)) throw new TypeError(`a formula has no ${type}`)
    const element = document.createElementNS(MATHML, isFrame ? 'mrow' : type)
    dress(element, part)
    if (isFrame) element.classList.add('frame')
    for (const child of children) draw(element, child, depth + 1, count)
    host.append(element)
  }
}

function seen(text: string): string {
  if (pieces(text).some((piece) => piece.kind === 'mark' && !MEANT.test(piece.text)))
    throw new TypeError('a formula hides something')
  return text
}

function dress(element: MathMLElement, { attributes = {}, classes = [], style = {} }: Part): void {
  for (const [name, value] of Object.entries(attributes))
    if (ATTRIBUTES.has(name) && VALUE.test(String(value))) element.setAttribute(name, String(value))
  const known = classes.filter((name) => CLASSES.has(name))
  if (known.length > 0) element.setAttribute('class', known.join(' '))
  for (const [property, value] of Object.entries(style)) {
    const name = property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const said = String(value).trim()
    const allowed = name.startsWith('border') ? LINE.test(said) : said.split(' ').every(isValue)
    if (STYLES.has(name) && allowed) element.style.setProperty(name, said)
  }
}

const isValue = (word: string): boolean => VALUE.test(word)
