/**
 * What the gallery replies to whatever a person does in it: samples, written down. Where a page asks again afterwards, or waits for
 * an event, that is written beside the reply.
 */
import { hostError } from '../error'
import type { Replies } from '../fake'
import type { WorkspaceView } from '../types.gen'
import { assistantActs } from './assistantActs'
import { callActs, policyActs } from './callActs'
import { applicationActs, clientActs } from './clientActs'
import { conversationActs } from './conversationActs'
import { modelActs } from './modelActs'
import { ANCHOR } from './sampleLog'
import { featureActs, serverActs, signInActs } from './serverActs'
import type { World } from './world'

/** The replies of the gallery in this world. */
export function acts(world: World): Replies {
  return {
    ...serverActs(world),
    ...signInActs(world),
    ...featureActs(world),
    ...callActs(world),
    ...policyActs(world),
    ...workspaceActs(world),
    ...clientActs(world),
    ...applicationActs(world),
    ...modelActs(world),
    ...assistantActs(world),
    ...conversationActs(world),
    ...logActs(),
  }
}

/** What is a question first waits for ever. */
export function unanswered(): Replies {
  const never = (): Promise<never> => new Promise(() => undefined)
  return { call_tool: never, add_rule: never, remove_rule: never }
}

function workspaceActs(world: World): Replies {
  const of = (id: string): WorkspaceView => {
    const found = world.workspaces.find((other) => other.id === id)
    if (!found) throw hostError('unknown_workspace', `There is no workspace ${id}.`)
    return found
  }
  return {
    add_workspace: ({ name }, host) => {
      const made = { ...of(world.workspaces[0]?.id ?? ''), id: 'workspace-99', name, active: false }
      host.publish({ kind: 'workspaces_changed', workspaces: [...world.workspaces, made] })
      return made
    },
    rename_workspace: ({ workspace, name }, host) => {
      const named = { ...of(workspace), name }
      const workspaces = world.workspaces.map((other) => (other.id === workspace ? named : other))
      host.publish({ kind: 'workspaces_changed', workspaces })
      return named
    },
    remove_workspace: ({ workspace }, host) => {
      const workspaces = world.workspaces.filter((other) => other.id !== workspace)
      host.publish({ kind: 'workspaces_changed', workspaces })
      return null
    },
    switch_workspace: ({ workspace }) => ({ ...of(workspace), active: true }),
  }
}

function logActs(): Replies {
  return {
    verify_log: {
      kind: 'intact',
      records: 480,
      anchor: 'keyring',
      after_anchor: 0,
      first: 1,
      read_from: 1,
      signed: null,
    },
    export_log: ({ format }) => ({
      file_name: `majordomo-log.${format}`,
      text: '{"seq":1}\n',
      records: 1,
      missing: 0,
    }),
    export_anchor: ANCHOR,
    check_anchor: { kind: 'rolled_back', anchor: 1_212, records: 1_000 },
    compact_log: {
      records: 240,
      file: '/home/ada/.local/share/majordomo/log/archive',
      first: 241,
    },
  }
}
