/**
 * Addresses with gaps (RFC 6570): which gaps there are, and the address once they are filled in.
 *
 * Always true here: what was typed is encoded as the template says, a template that is malformed or longer than any address gives
 * none, and both take time in proportion to their length (CVE-2026-0621 and its like).
 */
import { parseTemplate } from 'url-template'

const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g
const NAME = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:[A-Za-z0-9_.]|%[0-9A-Fa-f]{2})*$/

/** The longest template that is read, and the longest address that is made of one, in characters. */
const LONGEST = 4_096
const LONGEST_ADDRESS = 65_536

/** The names of the gaps, each once, in their order; `null` if the template is malformed. */
export function gapsOf(template: string): string[] | null {
  if (template.length > LONGEST) return null
  const names = new Set<string>()
  const rest = template.replace(EXPRESSION, (whole, _, list: string) => {
    for (const one of list.split(',')) {
      const name = one.replace(/(?:\*|:[1-9]\d{0,3})$/, '')
      if (!NAME.test(name)) return whole
      names.add(name)
    }
    return ''
  })
  return /[{}]/.test(rest) ? null : [...names]
}

/** The address with its gaps filled in; a gap that was left empty is left out. `null` if there is none. */
export function filledIn(template: string, values: Record<string, string>): string | null {
  if (gapsOf(template) === null) return null
  // Without a prototype: a gap may have the name of something that every object has.
  const given: Record<string, string> = Object.create(null) as Record<string, string>
  for (const [name, value] of Object.entries(values)) if (value !== '') given[name] = value
  // One gap can stand in it many times: what was typed would be repeated as often.
  const longest = Math.max(0, ...Object.values(given).map((value) => value.length))
  const times = template.split(/[{,]/).length - 1
  if (longest * times > LONGEST_ADDRESS) return null
  try {
    return parseTemplate(template).expand(given)
  } catch {
    // Half a character cannot be encoded.
    return null
  }
}
