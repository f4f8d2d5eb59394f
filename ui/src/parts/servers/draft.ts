/**
 * The form of a server, and the draft that is made of it.
 *
 * Always true here: a secret that the host keeps is not in the form; `kept` stands for it until the person writes a new one.
 */
import type {
  DraftSetting,
  DraftValue,
  KeepSecrets,
  Launch,
  ServerDraft,
  Setting,
} from '../../host/types.gen'
import { certificatesDraft, certificatesOf, type CertificatesForm } from './certificates'

/** A line of the form: an environment variable or a header. */
export interface SettingRow {
  key: number
  name: string
  value: string
  secret: boolean
  /** The host has a value for it already. */
  kept: boolean
}

/** A line of the form: an argument. */
export interface ArgumentRow {
  key: number
  text: string
}

/** The form as filled in. */
export interface ServerForm {
  kind: 'stdio' | 'http'
  name: string
  command: string
  args: ArgumentRow[]
  cwd: string
  url: string
  settings: SettingRow[]
  /** Of a server with an address. */
  certificates: CertificatesForm
}

let keys = 0
/** A new line needs a name of its own while it is on the screen. */
export const newKey = (): number => ++keys

/** An empty form. */
export function emptyForm(kind: ServerForm['kind']): ServerForm {
  return {
    kind,
    name: '',
    command: '',
    args: [],
    cwd: '',
    url: '',
    settings: [],
    certificates: certificatesOf(),
  }
}

/** The form of a kept server, for editing. */
export function formOf(name: string, launch: Exclude<Launch, { kind: 'builtin' }>): ServerForm {
  if (launch.kind === 'http') {
    return {
      ...emptyForm('http'),
      name,
      url: launch.url,
      settings: launch.headers.map(rowOf),
      certificates: certificatesOf(launch),
    }
  }
  return {
    ...emptyForm('stdio'),
    name,
    command: launch.command,
    args: launch.args.map((text) => ({ key: newKey(), text })),
    cwd: launch.cwd ?? '',
    settings: launch.env.map(rowOf),
  }
}

function rowOf({ name, value }: Setting): SettingRow {
  const secret = value.kind === 'secret'
  return { key: newKey(), name, value: secret ? '' : value.text, secret, kept: secret }
}

/** What is sent to the host. Nothing is corrected here: the host says what cannot be used. */
export function draftOf(form: ServerForm, keep: KeepSecrets = 'keyring'): ServerDraft {
  const settings = form.settings.filter((row) => row.name !== '' || row.value !== '').map(settingOf)
  return {
    name: form.name.trim(),
    keep,
    target:
      form.kind === 'http'
        ? {
            kind: 'http',
            url: form.url.trim(),
            headers: settings,
            ...certificatesDraft(form.certificates),
          }
        : {
            kind: 'stdio',
            command: form.command,
            args: form.args.map((row) => row.text),
            env: settings,
            cwd: form.cwd === '' ? null : form.cwd,
          },
  }
}

function settingOf(row: SettingRow): DraftSetting {
  return { name: row.name, value: valueOf(row) }
}

function valueOf(row: SettingRow): DraftValue {
  if (!row.secret) return { kind: 'plain', text: row.value }
  if (row.kept && row.value === '') return { kind: 'kept_secret' }
  return { kind: 'new_secret', value: row.value }
}

/** Splits a pasted command line into words, as a shell would without running anything; `null` if a quote is left open. */
export function splitCommand(line: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at)
    if (quote !== null) {
      if (character === quote) quote = null
      else word += character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + character
  }
  if (quote !== null) return null
  if (word !== null) words.push(word)
  return words
}

/** What a form would be with its command line split into a program and arguments; `null` if there is nothing to split. */
export function splitForm(form: ServerForm): Pick<ServerForm, 'command' | 'args'> | null {
  if (form.kind !== 'stdio' || form.args.length > 0 || !/\s/.test(form.command.trim())) return null
  const words = splitCommand(form.command)
  if (words === null || words.length < 2) return null
  const [command = '', ...args] = words
  return { command, args: args.map((text) => ({ key: newKey(), text })) }
}
