/**
 * The pretended host of `?host=fake` while developing; `world=`, `person=`, `question=`,
 * `resources=` and `offered=` in the address choose what is shown.
 */
import { FakeHost } from '../fake'
import { hostileWorld } from './hostile'
import { emptyWorld, fullWorld } from './sample'
import { manyOffers } from './sampleReviews'
import { filesOffers, manyResources } from './sampleOffers'

/** A pretended host as the address asks for it. */
export function galleryHost(): FakeHost {
  const query = new URLSearchParams(location.search)
  const hostile = query.get('world') === 'hostile'
  const full = hostile ? hostileWorld(fullWorld()) : fullWorld()
  const host = new FakeHost(query.get('world') === 'first' ? emptyWorld() : full)
  if (query.get('kind') === 'headless') host.kind = 'headless'
  if (query.get('person') === 'yes') host.person = () => ({ kind: 'allow_once' })
  host.windowQuestion = full.questions.at(Number(query.get('question') ?? 0)) ?? null
  if (host.windowQuestion) host.world.questions = full.questions
  if (query.get('world') === 'first') host.world.questions = []
  const resources = Number(query.get('resources') ?? 0)
  if (resources > 0) host.world.offers['files'] = { ...filesOffers(), resources: manyResources(resources) }
  const offered = Number(query.get('offered') ?? 0)
  if (offered > 0) {
    host.world.reviews['notebook'] = manyOffers(offered)
    host.change('notebook', { waiting: offered, tools: offered })
  }
  return host
}
