/** The rooms of the window: what an address shows, and how the way there is called. The rows with an icon are the navigation, in this order. */
import type { Component } from 'svelte'
import type { IconName } from './kit'
import type { Key } from './messages'

/** What an address shows. */
export interface RouteEntry {
  /** Loaded when it is first shown, or ahead of that. */
  view: () => Promise<{ default: Component }>
  title: Key
  icon?: IconName
  /** The room that is marked in the navigation meanwhile. */
  within?: string
}

const table = {
  conversations: {
    view: () => import('./views/Conversations.svelte'),
    title: 'nav.conversations',
    icon: 'conversation',
  },
  servers: { view: () => import('./views/Servers.svelte'), title: 'nav.servers', icon: 'server' },
  tools: { view: () => import('./views/Tools.svelte'), title: 'nav.tools', icon: 'tool' },
  clients: { view: () => import('./views/Clients.svelte'), title: 'nav.clients', icon: 'plug' },
  activity: {
    view: () => import('./views/Activity.svelte'),
    title: 'nav.activity',
    icon: 'activity',
  },
  approvals: {
    view: () => import('./views/Approvals.svelte'),
    title: 'nav.approvals',
    icon: 'approval',
  },
  policy: { view: () => import('./views/Policy.svelte'), title: 'nav.policy', icon: 'policy' },
  settings: {
    view: () => import('./views/Settings.svelte'),
    title: 'nav.settings',
    icon: 'settings',
  },
  assistants: {
    view: () => import('./views/Assistants.svelte'),
    title: 'assistants.title',
    within: 'conversations',
  },
  welcome: {
    view: () => import('./views/Welcome.svelte'),
    title: 'servers.first_steps',
    within: 'servers',
  },
  workspaces: { view: () => import('./views/Workspaces.svelte'), title: 'workspaces.title' },
} as const satisfies Record<string, RouteEntry>

/** The first part of an address. */
export type RouteName = keyof typeof table

export const ROUTES: Readonly<Record<RouteName, RouteEntry>> = table

/** Whether an address leads to a room. */
export function isRoute(name: string): name is RouteName {
  return Object.hasOwn(ROUTES, name)
}

/** Loads the rooms ahead, so that the way to them takes no time. One that cannot be loaded says so where it is shown. */
export async function loadAhead(): Promise<void> {
  for (const { view } of Object.values(ROUTES)) await view().catch(() => undefined)
}
