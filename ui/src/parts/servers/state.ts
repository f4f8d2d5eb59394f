/** What a server is doing, in words; never by colour alone. */
import type { ServerView } from '../../host/types.gen'
import type { IconName } from '../../kit'
import { m } from '../../messages'

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
      return { word: m('server.state.starting'), tone: 'info', icon: 'clock' }
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
      return [launch.command, ...launch.args].join(' ')
    case 'http':
      return launch.url
  }
}
