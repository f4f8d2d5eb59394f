/** The pretended host of `?host=fake` while developing; `world=` and `person=` in the address choose what is shown. */
import { FakeHost } from '../fake'
import { emptyWorld, fullWorld } from './sample'

/** A pretended host as the address asks for it. */
export function galleryHost(): FakeHost {
  const query = new URLSearchParams(location.search)
  const host = new FakeHost(query.get('world') === 'first' ? emptyWorld() : fullWorld())
  if (query.get('kind') === 'headless') host.kind = 'headless'
  if (query.get('person') === 'yes') host.person = () => ({ kind: 'allow_once' })
  host.windowQuestion = fullWorld().questions.at(Number(query.get('question') ?? 0)) ?? null
  if (host.windowQuestion) host.world.questions = fullWorld().questions
  if (query.get('world') === 'first') host.world.questions = []
  return host
}
