/** Reads another application's configuration, roughly as the real host does. */
import { hostError } from '../error'
import type { Application, DraftTarget, FoundConfiguration, ImportEntry, ImportPreview, ImportSource, ServerId } from '../types.gen'
import { launchOf, reviewOf } from './launch'

const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|AUTHORIZATION)$/i

/** Variables that decide which code is loaded; the real host knows more of them. */
const LOADS_CODE = /^(PATH|NODE_OPTIONS|LD_.*|DYLD_.*)$/

/** A configuration of another application on the pretended computer. */
export interface FakeConfiguration {
  application: Application
  path: string
  text: string
  /** Why it cannot be read. */
  problem?: string
}

/** A configuration as it is listed. */
export function foundConfiguration({ application, path, text, problem }: FakeConfiguration): FoundConfiguration {
  return { application, path, servers: problem === undefined ? importPreview(text, []).entries.length : 0, problem: problem ?? null }
}

/** The text that is meant; only what was found is read. */
export function sourceText(from: ImportSource, found: FakeConfiguration[]): string {
  if (from.kind === 'text') return from.text
  const configuration = found.find((other) => other.application === from.application && other.path === from.path)
  if (!configuration) throw hostError('bad_path', `No configuration was found at ${from.path}.`)
  if (configuration.problem !== undefined) throw hostError('import_unreadable', configuration.problem)
  return configuration.text
}

/** What a configuration holds. */
export function importPreview(text: string, taken: ServerId[]): ImportPreview {
  const config = parse(text)
  const format = 'mcpServers' in config ? 'mcpServers' : 'servers'
  const servers = config[format]
  if (typeof servers !== 'object' || servers === null) throw hostError('import_no_servers', 'It holds no servers.')
  const names = new Set(taken.map((name) => name.toLowerCase()))
  const entries = Object.entries(servers as Record<string, unknown>).map(([name, value], place) => entryOf(place, name, value, names))
  return { format, entries }
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch (thrown) {
    throw hostError('import_unreadable', thrown instanceof Error ? thrown.message : String(thrown))
  }
  throw hostError('import_no_servers', 'It holds no servers.')
}

function entryOf(place: number, source: string, value: unknown, taken: Set<string>): ImportEntry {
  const name = freeName(source, taken)
  const entry: ImportEntry = { place, source_name: source, project: null, name, review: null, secrets: [], ignored: [], refused: [], problem: null }
  if (typeof value !== 'object' || value === null) return { ...entry, problem: 'expected an object' }
  const { command, args, env, url, headers, cwd, ...rest } = value as Record<string, unknown>
  const given = Object.entries((env ?? headers ?? {}) as Record<string, unknown>)
  const settings = given.filter(([key]) => !LOADS_CODE.test(key)).map(([key, text]) => ({
    name: key,
    value: SECRET_NAME.test(key)
      ? ({ kind: 'new_secret', value: String(text) } as const)
      : ({ kind: 'plain', text: String(text) } as const),
  }))
  const target: DraftTarget | null =
    typeof command === 'string'
      ? { kind: 'stdio', command, args: Array.isArray(args) ? args.map(String) : [], env: settings, cwd: typeof cwd === 'string' ? cwd : null }
      : typeof url === 'string'
        ? { kind: 'http', url, headers: settings }
        : null
  if (!target) return { ...entry, problem: 'it has neither a command nor a url' }
  return {
    ...entry,
    review: reviewOf(name, launchOf(target, () => 'secret-0000000000000000')),
    secrets: settings.filter((setting) => setting.value.kind === 'new_secret').map((setting) => setting.name),
    refused: given.map(([key]) => key).filter((key) => LOADS_CODE.test(key)),
    ignored: Object.keys(rest).filter((key) => key !== 'type'),
  }
}

function freeName(source: string, taken: Set<string>): string {
  const base = source.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '').slice(0, 60) || 'server'
  let name = base
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${base}-${number}`
  taken.add(name.toLowerCase())
  return name
}
