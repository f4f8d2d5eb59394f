/** What the hints of a tool mean together. They are claims of its server. Pure. */

/** Whether a hint says nothing about a tool that only reads: how it changes things. That it may destroy is never left out. */
export function isIdle(name: string, value: boolean): boolean {
  return name === 'idempotentHint' || (name === 'destructiveHint' && !value)
}
