/** What the gallery replies to what is done with models. */
import { hostError } from '../error'
import type { FakeHost, Replies } from '../fake'
import type { ModelDraft, ModelId, ModelView } from '../types.gen'
import type { World } from './world'

/** Setting models up, testing and removing them. */
export function modelActs(world: World): Replies {
  const of = (model: ModelId): ModelView => {
    const found = world.models.find(({ id }) => id === model)
    if (!found) throw hostError('unknown_model', `There is no model ${model}.`)
    return found
  }
  const put = (model: ModelView, host: FakeHost): ModelView => {
    world.models = [...world.models.filter(({ id }) => id !== model.id), model]
    host.publish({ kind: 'models_changed' })
    return model
  }
  const filled = (draft: ModelDraft, had: boolean): Omit<ModelView, 'id' | 'added_at'> => ({
    name: draft.name,
    settings: draft.settings,
    has_key: draft.key.kind === 'new_secret' || (draft.key.kind === 'kept' && had),
  })
  return {
    add_model: ({ draft }, host) => {
      const id = `model-${world.models.length + 1}`
      return put({ id, ...filled(draft, false), added_at: Date.now() }, host)
    },
    change_model: ({ model, draft }, host) => {
      const was = of(model)
      return put({ ...was, ...filled(draft, was.has_key) }, host)
    },
    test_model: ({ model }) => {
      const { settings } = of(model)
      const offered = world.localModels.find(({ url }) => url === settings.url)?.offered ?? [
        { name: 'claude-sonnet-4-5', context: 200_000 },
        { name: 'claude-haiku-4-5', context: 200_000 },
      ]
      return { offered, is_offered: offered.some(({ name }) => name === settings.name) }
    },
    remove_model: ({ model }, host) => {
      world.models = world.models.filter(({ id }) => id !== model)
      host.publish({ kind: 'models_changed' })
      return null
    },
  }
}
