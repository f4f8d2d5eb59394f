/** From the host's codes to words for people. */
import type {
  Application,
  HostError,
  Reason,
  Refusal,
  ReviewWarning,
  Runtime,
} from '../host/types.gen'
import { m, maybe } from '.'

/** An error in words; `detail` is what the host said, in English, and names the particulars. */
export interface ErrorWords {
  title: string
  text: string
  action: string | undefined
  detail: string
}

/** An error in words. */
export function errorWords(error: HostError): ErrorWords {
  const refusal = error.refusal ? refusalWords(error.refusal) : undefined
  return {
    title: maybe('error', error.code, 'title') ?? m('error.internal.title'),
    text: refusal ?? maybe('error', error.code, 'text', about(error)) ?? m('error.internal.text'),
    action: maybe('error', error.code, 'action'),
    detail: error.message,
  }
}

/** The title and the text of an error, one after the other. */
export const inOneText = ({ title, text }: ErrorWords): string =>
  m('kit.title_and_text', { title, text })

function about(error: HostError): Record<string, string> {
  return error.runtime ? { runtime: runtimeWords(error.runtime) } : {}
}

/** A runtime, and where to get it. */
function runtimeWords(runtime: Runtime): string {
  return maybe('runtime', runtime) ?? runtime
}

/** The name of an application. */
export function applicationWords(application: Application): string {
  return maybe('application', application) ?? application
}

/** Why a call was not allowed. */
export function refusalWords(refusal: Refusal): string {
  if (refusal.kind === 'denied_by_person' && refusal.reason)
    return m('refusal.denied_by_person_reason', { reason: refusal.reason })
  if (refusal.kind === 'denied_by_token' && refusal.reason)
    return m('refusal.denied_by_token_reason', { reason: refusal.reason })
  if (refusal.kind === 'denied_earlier' && refusal.reason)
    return m('refusal.denied_earlier_reason', { reason: refusal.reason })
  const about: Record<string, string> = {}
  if (refusal.kind === 'arguments_invalid') about['problems'] = refusal.problems.join('; ')
  if (refusal.kind === 'schema_unusable') about['problem'] = refusal.problem
  if (refusal.kind === 'outside_folders') about['path'] = refusal.path
  return maybe('refusal', refusal.kind, undefined, about) ?? refusal.kind
}

/** Why a person is asked. */
export function reasonWords(reason: Reason): string {
  const counted = reason.kind === 'repeated' || reason.kind === 'alike'
  return m(`reason.${reason.kind}`, counted ? { times: reason.times } : {})
}

/** What to look at twice. */
export function warningWords(warning: ReviewWarning): string {
  const about: Record<string, string> = {}
  if ('name' in warning)
    about['name'] = warning.kind === 'placeholder' ? placeWords(warning.name) : warning.name
  if ('runtime' in warning) about['runtime'] = runtimeWords(warning.runtime)
  if ('place' in warning) about['place'] = placeWords(warning.place)
  if ('argument' in warning) about['n'] = String(warning.argument)
  return maybe('warning', warning.kind, undefined, about) ?? warning.kind
}

/** Where in a launch: `command`, `argument N`, `folder`, `url`, or the name of a setting, which stays as it is. */
function placeWords(place: string): string {
  const argument = /^argument (\d+)$/.exec(place)
  if (argument) return m('form.args.one', { n: Number(argument[1]) })
  if (place === 'command') return m('review.command')
  if (place === 'folder') return m('review.cwd')
  if (place === 'certificate') return m('review.certificate')
  return place === 'url' ? m('review.url') : place
}
