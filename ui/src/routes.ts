/** The rooms of the window: what an address shows, and how the way there is called. The rows with an icon are the navigation, in this order. */
import type { Component } from 'svelte'
import type { IconName } from './kit'
import type { Key } from './messages'
import Activity from './views/Activity.svelte'
import Approvals from './views/Approvals.svelte'
import Assistants from './views/Assistants.svelte'
import Clients from './views/Clients.svelte'
import Conversations from './views/Conversations.svelte'
import Policy from './views/Policy.svelte'
import Servers from './views/Servers.svelte'
import Settings from './views/Settings.svelte'
import Tools from './views/Tools.svelte'
import Welcome from './views/Welcome.svelte'
import Workspaces from './views/Workspaces.svelte'

/** What an address shows. */
export interface RouteEntry {
  view: Component
  title: Key
  icon?: IconName
  /** The room that is marked in the navigation meanwhile. */
  within?: string
}

const table = {
  conversations: { view: Conversations, title: 'nav.conversations', icon: 'conversation' },
  servers: { view: Servers, title: 'nav.servers', icon: 'server' },
  tools: { view: Tools, title: 'nav.tools', icon: 'tool' },
  clients: { view: Clients, title: 'nav.clients', icon: 'plug' },
  activity: { view: Activity, title: 'nav.activity', icon: 'activity' },
  approvals: { view: Approvals, title: 'nav.approvals', icon: 'approval' },
  policy: { view: Policy, title: 'nav.policy', icon: 'policy' },
  settings: { view: Settings, title: 'nav.settings', icon: 'settings' },
  assistants: { view: Assistants, title: 'assistants.title', within: 'conversations' },
  welcome: { view: Welcome, title: 'servers.first_steps', within: 'servers' },
  workspaces: { view: Workspaces, title: 'workspaces.title' },
} as const satisfies Record<string, RouteEntry>

/** The first part of an address. */
export type RouteName = keyof typeof table

export const ROUTES: Readonly<Record<RouteName, RouteEntry>> = table

/** Whether an address leads to a room. */
export function isRoute(name: string): name is RouteName {
  return Object.hasOwn(ROUTES, name)
}
