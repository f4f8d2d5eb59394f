/**
 * Every visible text, in the language of the window.
 *
 * Always true here: both catalogues have the same keys (a test says so); a text that depends on a number has a key for each
 * plural form, ending in `_one` and `_other`; what stands in braces is a parameter.
 */
import { number } from './format'
import { formatOf } from './formats'
import { language, type Catalogue } from './language.svelte'

export { language, type Language, type LanguageChoice } from './language.svelte'
export * from './format'

/** The name of a text. */
export type Key = keyof Catalogue
/** The name of a text with plural forms, without its ending. */
export type PluralKey = Key extends infer K
  ? K extends `${infer Base}_other`
    ? Base
    : never
  : never
/** What is put into a text. */
export type Parameters = Record<string, string | number>

/** A text. */
export function m(key: Key, parameters: Parameters = {}): string {
  return fill(language.texts[key], parameters)
}

/** A text that depends on a number, which it can show as `{n}`. */
export function plural(key: PluralKey, n: number, parameters: Parameters = {}): string {
  return m(`${key}_${formOf(n)}` as Key, { n: number(n), ...parameters })
}

/** The plural form for a number. */
export function formOf(n: number): 'one' | 'other' {
  return formatOf(Intl.PluralRules).select(n) === 'one' ? 'one' : 'other'
}

/** A text of a family (`outcome`, `error`, …) by a name that only the host knows; `undefined` if there is none. */
export function maybe(
  family: string,
  name: string,
  part?: string,
  parameters: Parameters = {},
): string | undefined {
  const key = [family, name, part].filter(Boolean).join('.')
  return isKey(key) ? m(key, parameters) : undefined
}

/** The name of a text of a family by a name that only the host knows; that of `other` where there is none. */
export function keyOf(family: string, name: string): Key {
  const key = `${family}.${name}`
  return isKey(key) ? key : (`${family}.other` as Key)
}

/** Whether there is a text of this name. */
export function isKey(name: string): name is Key {
  return Object.hasOwn(language.texts, name)
}

function fill(text: string, parameters: Parameters): string {
  if (!text.includes('{')) return text
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole))
}
