/** Reviews of what a server would run. */
import type { ArgumentFolder, Launch, Review } from '../types.gen'
import { fakeFingerprint } from './fingerprint'
import { confinementOf } from './sampleConfinement'

const INHERITED = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']

/** A review in which nothing stands out; `more` says what does. */
export function reviewOf(name: string, launch: Launch, more: Partial<Review> = {}): Review {
  const remote = launch.kind === 'http'
  return {
    name,
    launch,
    resolved: launch.kind === 'stdio' ? launch.command : null,
    cwd: remote ? null : '/home/ada',
    inherited: remote ? [] : INHERITED,
    warnings: [],
    dangers: 0,
    fingerprint: fakeFingerprint(launch),
    identity: { unread: [] },
    changes: [],
    confinement: confinementOf(launch),
    folders: foldersOf(launch),
    ...more,
  }
}

/** As if every path without an ending were a folder that is there. */
function foldersOf(launch: Launch): ArgumentFolder[] {
  if (launch.kind !== 'stdio') return []
  return launch.args.flatMap((path, index) =>
    /^\/home\/[^.]*$/.test(path) ? [{ argument: index + 1, path }] : [],
  )
}
