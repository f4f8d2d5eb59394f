/**
 * What a remembered answer lets each argument be, as it is chosen.
 *
 * Always true here: what was typed and means nothing is no limit, and without a limit for every argument nothing is chosen.
 */
import type { Allowed, ArgumentOptions, LimitChoice, AffectedResources } from '../../host/types.gen'

/** What was chosen for an argument: a proposal by its place in the list, `same`, or `anything`. */
export interface Choice {
  argument: string
  options: Allowed[]
  pick: string
  /** What the person made of the chosen proposal: a folder, a number, or one value in each line. */
  text: string
}

/** From here on a text is what is written, not a name for something. */
const LONG = 80

/** The choices to begin with: a folder, a host, a list, a bound; texts that are written may be any. */
export function beginning(
  options: readonly ArgumentOptions[],
  args: Record<string, unknown>,
  touches: AffectedResources,
): Choice[] {
  return options.map(({ argument, allowed }) => {
    const pick = firstPick(allowed, args[argument], touches)
    return { argument, options: allowed, pick, text: textOf(allowed[Number(pick)]) }
  })
}

function firstPick(
  allowed: readonly Allowed[],
  value: unknown,
  { files }: AffectedResources,
): string {
  const folders = allowed.filter(({ kind }) => kind === 'under')
  if (folders.length > 0) {
    const text = Array.isArray(value) ? (value as unknown[])[0] : value
    // A way out of what the server was given is not widened by itself.
    if (!files.some(({ of, granted }) => of === text && granted)) return 'same'
    return String(allowed.indexOf(folders[1] ?? (folders[0] as Allowed)))
  }
  if (typeof value === 'string' && (value.length > LONG || value.includes('\n'))) return 'anything'
  return allowed.length > 0 ? '0' : 'same'
}

/** A proposal as text to be changed. */
export function textOf(allowed: Allowed | undefined): string {
  switch (allowed?.kind) {
    case 'under':
      return allowed.folder
    case 'at_most':
      return String(allowed.number)
    case 'hosts':
      return allowed.hosts.join('\n')
    case 'one_of':
      return allowed.values.join('\n')
    default:
      return ''
  }
}

/** Whether a proposal can be changed as text: a value that is empty or holds a line break cannot stand in a list of lines. */
export function isEditable(allowed: Allowed | undefined): boolean {
  if (allowed?.kind === 'one_of')
    return !allowed.values.some((value) => value === '' || /[\r\n]/.test(value))
  return allowed !== undefined
}

/** The limits that were chosen; nothing if one of them means nothing. */
export function limitsOf(choices: readonly Choice[]): LimitChoice[] | null {
  const limits: LimitChoice[] = []
  for (const choice of choices) {
    const allowed = meaning(choice)
    if (allowed === undefined) return null
    limits.push({ argument: choice.argument, allowed })
  }
  return limits
}

/** `null`: only what it is; `undefined`: what was typed means nothing. */
export function meaning({ options, pick, text }: Choice): Allowed | null | undefined {
  if (pick === 'same') return null
  if (pick === 'anything') return { kind: 'anything' }
  const option = options[Number(pick)]
  if (option === undefined || !isEditable(option)) return option
  const lines = text.split('\n').filter((line) => line !== '')
  switch (option.kind) {
    case 'under':
      return /^(\/.|[A-Za-z]:[\\/].|\\\\.)/.test(text) ? { kind: 'under', folder: text } : undefined
    case 'at_most':
      return text.trim() !== '' && Number.isFinite(Number(text))
        ? { kind: 'at_most', number: Number(text) }
        : undefined
    case 'hosts':
      return lines.length > 0 && lines.every((line) => /^[^\s/]+$/.test(line))
        ? { kind: 'hosts', hosts: lines }
        : undefined
    case 'one_of':
      return lines.length > 0 ? { kind: 'one_of', values: lines } : undefined
    default:
      return option
  }
}
