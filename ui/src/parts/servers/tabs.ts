/** The pages of a server: what it does not offer has none. */
import type { ServerView } from '../../host/types.gen'
import { m } from '../../messages'

/** All pages, in their order. */
export const TABS = [
  'tools',
  'resources',
  'prompts',
  'review',
  'folders',
  'logs',
  'exchange',
  'output',
  'details',
] as const
export type Tab = (typeof TABS)[number]

/** The pages of this server, with a number where one helps. */
export function tabsOf(server: ServerView): { value: Tab; label: string; note?: string }[] {
  return TABS.filter((tab) => has(server, tab)).map((value) => ({
    value,
    label: m(`server.tab.${value}`),
    note: noteOf(server, value),
  }))
}

function has(server: ServerView, tab: Tab): boolean {
  switch (tab) {
    case 'resources':
    case 'prompts':
    case 'logs':
      return server.abilities?.[tab] ?? false
    case 'output':
      // Only a process of ours has a standard error.
      return server.launch.kind !== 'http'
    default:
      return true
  }
}

function noteOf(server: ServerView, tab: Tab): string | undefined {
  if (tab === 'tools') return server.tools?.toString()
  if (tab === 'review') return server.waiting > 0 ? String(server.waiting) : undefined
  return tab === 'folders' && server.roots.length > 0 ? String(server.roots.length) : undefined
}
