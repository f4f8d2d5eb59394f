/**
 * The servers that other applications on this computer keep, and importing them from several at once.
 *
 * Always true here: what two applications keep alike is imported once, and what is here already is not; nothing is switched on.
 */
import { SvelteSet } from 'svelte/reactivity'
import type {
  FoundConfiguration,
  HostError,
  ImportEntry,
  ImportFailure,
  ImportSource,
  KeepSecrets,
  ServerView,
} from '../../host/types.gen'
import type { Ask } from '../../state/ask'
import { asHostError } from '../../state/errors'
import { sameServer } from './sameServer'

/** An application's configuration, and what is in it once it was read. */
export interface FoundSource {
  configuration: FoundConfiguration
  entries: ImportEntry[] | null
  error: HostError | null
}

/** What would be imported from one application. */
export interface SourcePlan {
  source: FoundSource
  /** Those that can be imported. */
  entries: ImportEntry[]
  /** Those that an application before it keeps, too. */
  twins: ImportEntry[]
  /** Those that Majordomo has already. */
  here: ImportEntry[]
}

/** Which one a configuration is: an application can keep several. */
export const keyOf = ({ application, path }: FoundConfiguration): string => application + path

const fromOf = ({ application, path }: FoundConfiguration): ImportSource => ({
  kind: 'found',
  application,
  path,
})

/** Whether there is something to import. */
export const holdsServers = ({ servers, problem }: FoundConfiguration): boolean =>
  problem === null && servers > 0

export class FoundServers {
  sources = $state.raw<FoundSource[]>([])
  /** Those that were imported, whichever application they are from. */
  added = $state.raw<ServerView[]>([])
  failed = $state.raw<ImportFailure[]>([])
  error = $state.raw<HostError | null>(null)
  busy = $state(false)
  /** Applications to import from. */
  readonly chosen = new SvelteSet<string>()
  readonly #done = new SvelteSet<string>()
  readonly #ask: Ask
  readonly #had: string[]

  /** `had` are the servers that were here before. */
  constructor(ask: Ask, configurations: FoundConfiguration[], had: ServerView[]) {
    this.#ask = ask
    this.#had = had.map(({ id, launch }) => sameServer(launch, id))
    const held = configurations.filter(holdsServers)
    this.sources = held.map((configuration) => ({ configuration, entries: null, error: null }))
    for (const configuration of held) this.chosen.add(keyOf(configuration))
  }

  /** What is imported from each application that was chosen. */
  readonly plans = $derived.by((): SourcePlan[] => {
    const before: string[] = []
    return this.sources.map((source) => {
      const plan: SourcePlan = { source, entries: [], twins: [], here: [] }
      const chosen = this.chosen.has(keyOf(source.configuration))
      for (const entry of source.entries ?? []) {
        if (!entry.review) continue
        const server = sameServer(entry.review.launch, entry.source_name)
        if (this.#had.includes(server)) plan.here.push(entry)
        else if (before.includes(server)) plan.twins.push(entry)
        else plan.entries.push(entry)
        if (chosen) before.push(server)
      }
      return plan
    })
  })

  readonly count = $derived(
    this.#wanted().reduce((count, { entries }) => count + entries.length, 0),
  )

  /** Reads what each application keeps. */
  async read(): Promise<void> {
    await Promise.all(this.sources.map(({ configuration }) => this.#read(configuration)))
  }

  /** Imports from the chosen applications, one after the other; says whether all of it was tried. */
  async bring(keep: KeepSecrets = 'keyring'): Promise<boolean> {
    this.busy = true
    this.error = null
    try {
      for (const { source, entries } of this.#wanted()) {
        const from = fromOf(source.configuration)
        // A name that was free can be taken by what was just imported.
        const now = await this.#ask('preview_import', { from })
        const choices = entries.map(({ place, source_name, name }) => ({
          place,
          source_name,
          name: now.entries.find((entry) => entry.place === place)?.name ?? name,
        }))
        const outcome = await this.#ask('import_servers', { from, choices, keep })
        this.#done.add(keyOf(source.configuration))
        this.added = [...this.added, ...outcome.added]
        this.failed = [...this.failed, ...outcome.failed]
      }
      return true
    } catch (thrown) {
      this.error = asHostError(thrown)
      return false
    } finally {
      this.busy = false
    }
  }

  #wanted(): SourcePlan[] {
    return this.plans.filter(({ source, entries }) => {
      const key = keyOf(source.configuration)
      return this.chosen.has(key) && !this.#done.has(key) && entries.length > 0
    })
  }

  async #read(configuration: FoundConfiguration): Promise<void> {
    let read: Pick<FoundSource, 'entries' | 'error'>
    try {
      const { entries } = await this.#ask('preview_import', { from: fromOf(configuration) })
      read = { entries, error: null }
    } catch (thrown) {
      read = { entries: null, error: asHostError(thrown) }
      this.chosen.delete(keyOf(configuration))
    }
    this.sources = this.sources.map((source) =>
      source.configuration === configuration ? { configuration, ...read } : source,
    )
  }
}
