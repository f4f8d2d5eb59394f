/** What the gallery replies to what is done with assistants. */
import { hostError } from '../error'
import type { Replies } from '../fake'
import type { AssistantId, AssistantSettings, AssistantView } from '../types.gen'
import type { World } from './world'

/** Making, changing, writing out and removing assistants. */
export function assistantActs(world: World): Replies {
  const of = (assistant: AssistantId): AssistantView => {
    const found = world.assistants.find(({ id }) => id === assistant)
    if (!found) throw hostError('unknown_assistant', `There is no assistant ${assistant}.`)
    return found
  }
  return {
    save_assistant: ({ assistant, settings }, host) => {
      const id = assistant ?? `assistant-${world.assistants.length + 1}`
      const saved = { ...(assistant ? of(assistant) : { added_at: Date.now() }), id, settings }
      const others = world.assistants.filter((one) => one.id !== id)
      if (others.some((one) => one.settings.name.toLowerCase() === settings.name.toLowerCase()))
        throw hostError('name_taken', `There is an assistant called ${settings.name} already.`)
      world.assistants = [...others, saved]
      host.publish({ kind: 'assistants_changed' })
      return saved
    },
    remove_assistant: ({ assistant }, host) => {
      world.assistants = world.assistants.filter(({ id }) => id !== of(assistant).id)
      host.publish({ kind: 'assistants_changed' })
      return null
    },
    export_assistant: ({ assistant }) => ({
      file_name: `${assistant}.json`,
      text: JSON.stringify({ format: 'majordomo-assistant 1', assistant: of(assistant).settings }),
    }),
    read_assistant: ({ file }) => {
      try {
        const read = JSON.parse(file.text) as { assistant: AssistantSettings }
        return { ...read.assistant, model: null, helpers: [], is_helper: false }
      } catch {
        throw hostError('bad_request', 'This is no assistant that was exported.')
      }
    },
  }
}
