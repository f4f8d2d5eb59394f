/** What the gallery replies to what is done in conversations. */
import { hostError } from '../error'
import type { FakeHost, Replies } from '../fake'
import type { ConversationId, ConversationItem, ConversationView } from '../types.gen'
import {
  attached,
  contentOf,
  conversation as newConversation,
  reply,
  said,
  sampleLedger,
} from './sampleConversations'
import type { World } from './world'

/** Talking, and looking after what was said. */
export function conversationActs(world: World): Replies {
  const put = (
    id: ConversationId,
    host: FakeHost,
    change: Partial<ConversationView>,
  ): ConversationView => {
    const known = world.conversations.find((one) => one.id === id)
    if (!known) throw hostError('unknown_conversation', `There is no conversation ${id}.`)
    const now = { ...known, ...change, changed_at: Date.now() }
    world.conversations = [now, ...world.conversations.filter((one) => one.id !== id)]
    host.publish({ kind: 'conversation_changed', conversation: now })
    return now
  }
  const next = (): ConversationId =>
    `talk-${world.conversations.filter(({ id }) => id.startsWith('talk-')).length + 1}`
  return {
    start_conversation: ({ model, assistant }, host) => {
      const id = next()
      const own = world.assistants.find((one) => one.id === assistant)?.settings.model
      const begun = newConversation(id, '', { model: model ?? own ?? 'model-1', assistant })
      world.conversations = [begun, ...world.conversations]
      return put(id, host, {})
    },
    branch_conversation: ({ conversation, before }, host) => {
      const of = world.conversations.find(({ id }) => id === conversation)
      const items = world.said[conversation] ?? []
      const item = items[before]
      if (!of || item?.kind !== 'said' || !item.begins_turn)
        throw hostError('bad_request', `No turn begins with ${before} of ${conversation}.`)
      const id = next()
      const begun = newConversation(id, of.title, {
        model: of.model,
        assistant: of.assistant,
        branch_of: conversation,
      })
      world.conversations = [begun, ...world.conversations]
      world.said[id] = items.slice(0, before)
      return put(id, host, {})
    },
    set_reader: ({ conversation, is_on }, host) => put(conversation, host, { has_reader: is_on }),
    read_attachment: ({ conversation, item, attachment }) => {
      const of = world.said[conversation]?.[item]
      const found = of?.kind === 'said' || of?.kind === 'task' ? of.attached[attachment] : undefined
      if (!found) throw hostError('bad_request', `Nothing is attached to ${item}.`)
      return { content: contentOf(found) }
    },
    read_ledger: ({ conversation, reply: number }) => {
      if (world.said[conversation]?.[number]?.kind !== 'reply')
        throw hostError('bad_request', `${number} of ${conversation} is no reply.`)
      return sampleLedger()
    },
    check_link: () => [],
    pin_conversation: ({ conversation, is_pinned }, host) => put(conversation, host, { is_pinned }),
    say_in_conversation: ({ conversation, text, attachments, model }, host) => {
      const before = world.said[conversation] ?? []
      const answer = reply({ kind: 'text', text: `You said: ${text}` })
      world.said[conversation] = [...before, said(text, attachments.map(attached)), answer]
      const title = text === '' ? (attachments[0]?.name ?? '') : text
      const change: Partial<ConversationView> = before.length === 0 ? { title } : {}
      return put(conversation, host, model ? { ...change, model } : change)
    },
    stop_conversation: ({ conversation }, host) => {
      put(conversation, host, { state: { kind: 'idle' } })
      return null
    },
    go_on: ({ conversation }, host) => put(conversation, host, { state: { kind: 'idle' } }),
    rename_conversation: ({ conversation, title }, host) => put(conversation, host, { title }),
    delete_conversation: ({ conversation }, host) => {
      world.conversations = world.conversations.filter(({ id }) => id !== conversation)
      host.publish({ kind: 'conversation_deleted', conversation })
      return null
    },
    import_conversation: ({ text }, host) => {
      const file = read(text)
      if (file?.format !== 'majordomo-conversation 1' || !file.items)
        throw hostError('unreadable_conversation', 'This is no conversation that was saved.')
      const id = next()
      const begun = newConversation(id, file.title ?? '')
      world.conversations = [begun, ...world.conversations]
      world.said[id] = file.items.map((item) =>
        item.kind === 'said' ? { ...item, attached: [], begins_turn: false } : item,
      )
      world.imported[id] = file.items.length
      return put(id, host, {})
    },
    export_conversation: ({ conversation, format }) => ({
      file_name: `${conversation}.${format === 'json' ? 'json' : 'md'}`,
      text: JSON.stringify({
        format: 'majordomo-conversation 1',
        title: world.conversations.find(({ id }) => id === conversation)?.title,
        items: world.said[conversation] ?? [],
      }),
    }),
  }
}

/** What a file holds, as far as the pretended host reads it. */
interface ConversationFile {
  format?: string
  title?: string
  items?: ConversationItem[]
}

function read(text: string): ConversationFile | null {
  try {
    return JSON.parse(text) as ConversationFile
  } catch {
    return null
  }
}
