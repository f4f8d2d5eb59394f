/** Applications on this computer in words: whether their configurations lead here, and which servers they have beside. */
import type { ApplicationView, Bypass, ConnectionState } from '../../host/types.gen'
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
    case 'connected':
      return { word, tone: 'good', icon: 'check' }
    case 'changed':
      return { word, tone: 'warn', icon: 'warning' }
    case 'unreadable':
      return { word, tone: 'bad', icon: 'error' }
  }
}

/** What an application is known by: of several editions each has a file of its own. */
export const keyOfApplication = ({ application, path }: ApplicationView | Bypass): string =>
  `${application} ${path}`

/** The servers that an application has past Majordomo. */
export function bypassesOf(application: ApplicationView, all: readonly Bypass[]): Bypass[] {
  return all.filter((one) => one.application === application.application && isIn(one, application))
}

/** Whether it stands in the file by which the application is connected, or belongs to no other edition that is listed. */
const isIn = (bypass: Bypass, { path }: ApplicationView): boolean =>
  bypass.path === path || bypass.project !== null

/** Whether connecting can take it out of the file: it stands in that very file. */
export const isRemovable = (bypass: Bypass, { path }: ApplicationView): boolean =>
  bypass.removable && bypass.path === path
