/** What a server is doing, in words; never by colour alone. */
import type { ServerView } from '../../host/types.gen'
import type { IconName } from '../../kit'
import { commandLine } from '../../kit/commandLine'
import { holdsWords } from '../../kit/search'
import { m } from '../../messages'
import { errorWords } from '../../messages/errors'

/** A server's state as it is shown. */
export interface StateWords {
  word: string
  tone: 'neutral' | 'good' | 'warn' | 'bad' | 'info'
  icon: IconName
}

/** The state of a server in words. */
export function stateWords(server: ServerView): StateWords {
  switch (server.state.kind) {
    case 'ready':
      return { word: m('server.state.ready'), tone: 'good', icon: 'check' }
    case 'idle':
      return { word: m('server.state.idle'), tone: 'neutral', icon: 'check' }
    case 'starting':
      return {
        word: m(server.download ? 'server.state.downloading' : 'server.state.starting'),
        tone: 'info',
        icon: 'clock',
      }
    case 'waiting':
      return { word: m('server.state.waiting'), tone: 'warn', icon: 'clock' }
    case 'failed':
      return { word: m('server.state.failed'), tone: 'bad', icon: 'error' }
    case 'off':
      return server.reviewed
        ? { word: m('server.state.off'), tone: 'neutral', icon: 'off' }
        : { word: m('server.state.unreviewed'), tone: 'warn', icon: 'eye' }
  }
}

/** How a server is reached, on one line. */
export function launchLine(launch: ServerView['launch']): string {
  switch (launch.kind) {
    case 'builtin':
      return m('server.launch.builtin')
    case 'stdio':
      return commandLine([launch.command, ...launch.args])
    case 'http':
      return launch.url
  }
}

/** How many environment variables or headers go with it. */
export function countSettings(launch: ServerView['launch'] | undefined): number {
  switch (launch?.kind) {
    case 'stdio':
      return launch.env.length
    case 'http':
      return launch.headers.length
    default:
      return 0
  }
}

/** Why a server that should run does not: the reason, and the last line that it wrote. */
export interface NotRunning {
  reason: string
  /** Out of the server's mouth; empty if it wrote nothing. */
  lastLine: string
}

/** Why a server does not run; `null` where nothing went wrong. */
export function whyNotRunning({ state }: ServerView): NotRunning | null {
  if (state.kind !== 'failed' && state.kind !== 'waiting') return null
  return {
    reason: errorWords(state.error).title,
    lastLine: state.stderr.findLast((line) => line.trim() !== '')?.trim() ?? '',
  }
}

/** Whether a server is among those that are searched for: by its name, or by what it runs or calls. */
export function isFound(server: ServerView, words: string): boolean {
  return holdsWords(`${server.id}\n${launchLine(server.launch)}`, words)
}
