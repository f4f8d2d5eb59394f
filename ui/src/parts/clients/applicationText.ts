/** Applications on this computer in words: whether their configurations lead here, and which servers they have beside. */
import type { Application, ApplicationView, Bypass, ConnectionState } from '../../host/types.gen'
import type { IconName } from '../../kit'
import { m } from '../../messages'

/** Whether an application's configuration leads here; the word says it without the colour. */
export function connectionWords(connection: ConnectionState): {
  word: string
  tone: 'neutral' | 'good' | 'warn' | 'bad' | 'info'
  icon: IconName
} {
  const word = m(`applications.state.${connection.kind}`)
  switch (connection.kind) {
    case 'not_connected':
      return { word, tone: 'neutral', icon: 'off' }
    case 'written':
      return { word, tone: 'info', icon: 'clock' }
    case 'leads_here':
      return { word, tone: 'info', icon: 'check' }
    case 'connected':
      return { word, tone: 'good', icon: 'check' }
    case 'changed':
      return { word, tone: 'warn', icon: 'warning' }
    case 'unreadable':
      return { word, tone: 'bad', icon: 'error' }
  }
}

/** What an application is known by: of several editions each has a file of its own. */
export const keyOfApplication = ({ application, path }: ApplicationView): string =>
  `${application} ${path}`

/** Applications, each with the servers that it has without Majordomo. */
export interface WithBypasses {
  views: { view: ApplicationView; bypasses: Bypass[] }[]
  /** Those of applications that are not in the list, by application. */
  others: [application: Application, bypasses: Bypass[]][]
}

/** Puts every server beside the application that has it: the edition whose file it stands in, else the first one of that name. */
export function withBypasses(
  applications: readonly ApplicationView[],
  bypasses: readonly Bypass[],
): WithBypasses {
  const views = applications.map((view) => ({ view, bypasses: [] as Bypass[] }))
  const others = new Map<Application, Bypass[]>()
  for (const one of bypasses) {
    const editions = views.filter(({ view }) => view.application === one.application)
    const at = editions.find(({ view }) => view.path === one.path) ?? editions[0]
    if (at) at.bypasses.push(one)
    else others.set(one.application, [...(others.get(one.application) ?? []), one])
  }
  return { views, others: [...others] }
}

/** Whether connecting can take it out of the file: it stands in that very file. */
export const isRemovable = (bypass: Bypass, { path }: ApplicationView): boolean =>
  bypass.removable && bypass.path === path
