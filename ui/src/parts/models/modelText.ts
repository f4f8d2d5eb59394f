/**
 * Models in words, and the form in which one is filled in. Pure.
 *
 * Always true here: a form that was filled in from what is there, and not touched, changes nothing.
 */
import type {
  DraftKey,
  KeepSecrets,
  LocalModels,
  ModelCheck,
  ModelDraft,
  ModelService,
  ModelView,
  OfferedModel,
} from '../../host/types.gen'

/** The kinds of services, the usual address of each, and how much the newest models of most of them read. */
const SERVICES: Record<ModelService, { address: string; context: number; wantsKey: boolean }> = {
  anthropic: { address: 'https://api.anthropic.com', context: 200_000, wantsKey: true },
  responses: { address: 'https://api.openai.com/v1', context: 128_000, wantsKey: true },
  gemini: {
    address: 'https://generativelanguage.googleapis.com',
    context: 128_000,
    wantsKey: true,
  },
  chat: { address: 'https://', context: 32_768, wantsKey: true },
  ollama: { address: 'http://127.0.0.1:11434', context: 8_192, wantsKey: false },
}

/** The kinds of services, in the order in which they are offered. */
export const KINDS = Object.keys(SERVICES) as ModelService[]

/** What a person has typed, as they have typed it. */
export interface ModelForm {
  name: string
  service: ModelService
  url: string
  model: string
  context: string
  seesImages: boolean
  plainNearby: boolean
  /** A key that was typed; empty keeps the one that is there. */
  key: string
  /** Whether the key that is there goes. */
  withoutKey: boolean
}

/** An empty form for a service of this kind. */
export function emptyForm(service: ModelService): ModelForm {
  const { address, context } = SERVICES[service]
  return {
    name: '',
    service,
    url: address,
    model: '',
    context: String(context),
    seesImages: false,
    plainNearby: false,
    key: '',
    withoutKey: false,
  }
}

/** The form for a model that is there. */
export function formOf({ name, settings }: ModelView): ModelForm {
  return {
    name,
    service: settings.service,
    url: settings.url,
    model: settings.name,
    context: String(settings.context),
    seesImages: settings.sees_images,
    plainNearby: settings.plain_nearby,
    key: '',
    withoutKey: false,
  }
}

/** What to call a model of this computer: a program that was given a file calls it by where that lies. */
function nameOf(model: string): string {
  const file = /[/\\]([^/\\]+)\.gguf$/i.exec(model)?.[1]
  return file ?? model
}

/** The form for a model that a program on this computer serves. */
export function formOfFound(place: LocalModels, model: OfferedModel): ModelForm {
  return {
    ...emptyForm(place.service),
    name: nameOf(model.name),
    url: place.url,
    model: model.name,
    // More than this takes more memory than most computers have: who has it says so.
    context: String(Math.min(model.context ?? Infinity, SERVICES[place.service].context)),
  }
}

/** Another kind of service: what nobody has typed becomes what is usual there. */
export function withService(form: ModelForm, service: ModelService): ModelForm {
  const usual = SERVICES[form.service]
  const { address, context } = SERVICES[service]
  return {
    ...form,
    service,
    url: form.url === usual.address ? address : form.url,
    context: form.context === String(usual.context) ? String(context) : form.context,
  }
}

/** Whether such a service usually wants a key. A program on this computer does not. */
export function wantsKey({ service, url }: ModelForm): boolean {
  return SERVICES[service].wantsKey && !isHere(url)
}

/** The tokens that were typed; nothing where that is no number of them. */
export function tokensOf(form: ModelForm): number | null {
  const plain = form.context.replaceAll(/[\s,._’']/g, '')
  return /^\d{1,9}$/.test(plain) ? Number(plain) : null
}

/** Whether an address leads somewhere in plain text that is not this computer. */
export function isPlainElsewhere(url: string): boolean {
  try {
    return new URL(url).protocol === 'http:' && !isHere(url)
  } catch {
    return false
  }
}

/** Whether an address leads to a program on this computer. */
export function isHere(url: string): boolean {
  try {
    return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
  } catch {
    return false
  }
}

/** To whom a key goes: scheme, host and port; nothing where the address cannot be read. */
export function originOf(url: string): string | null {
  try {
    const { host, origin } = new URL(url)
    return host === '' ? null : origin
  } catch {
    return null
  }
}

/** What is sent of a form. `had` is the model that it changes, if it changes one. */
export function draftOf(
  form: ModelForm,
  context: number,
  had: ModelView | null,
  keep: KeepSecrets,
): ModelDraft {
  return {
    name: form.name.trim() === '' ? form.model.trim() : form.name.trim(),
    settings: {
      service: form.service,
      url: form.url.trim(),
      name: form.model.trim(),
      context,
      sees_images: form.seesImages,
      plain_nearby: form.plainNearby && isPlainElsewhere(form.url),
    },
    key: keyOf(form, had),
    keep,
  }
}

function keyOf(form: ModelForm, had: ModelView | null): DraftKey {
  // Who pastes a key pastes the end of its line, too.
  const value = form.key.trim()
  if (value !== '') return { kind: 'new_secret', value }
  return had?.has_key === true && !form.withoutKey ? { kind: 'kept' } : { kind: 'none' }
}

/** What a test has found. */
export type Tested = 'there' | 'no_list' | 'missing'

/** What a test has found, in one word. */
export function testedAs(check: ModelCheck): Tested {
  if (check.is_offered === null) return 'no_list'
  return check.is_offered ? 'there' : 'missing'
}
