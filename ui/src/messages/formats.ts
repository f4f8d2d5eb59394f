/**
 * The formats of the language in use.
 *
 * Always true here: making one takes longer than using it a hundred times, so each is made once; one that shows times is made
 * anew when the computer has moved to another time zone.
 */
import { language } from './language.svelte'

const made = new Map<string, unknown>()

/** A format of a kind, such as `Intl.NumberFormat`, with these options. */
export function formatOf<Format, Options>(
  Kind: new (language: string, options?: Options) => Format,
  options?: Options,
): Format {
  const zone = new Date().getTimezoneOffset()
  const key = `${Kind.name} ${language.current} ${zone} ${JSON.stringify(options)}`
  let format = made.get(key) as Format | undefined
  if (format === undefined) made.set(key, (format = new Kind(language.current, options)))
  return format
}
