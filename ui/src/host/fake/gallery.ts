/**
 * The pretended host of `?host=fake` while developing; `world=`, `person=`, `question=`,
 * `waiting=`, `granted=`, `resources=`, `offered=`, `rules=` (a number, `none` or `broken`), `happened=`, `unknown=`, `telemetry=`
 * and `model=` in the address choose what is shown.
 */
import { FakeHost } from '../fake'
import { hostileWorld } from './hostile'
import { sampleUnknown } from './logbook'
import { someTelemetry } from './reporting'
import { emptyWorld, fullWorld, manyHappenings } from './sample'
import { brokenRules, manyRules, noRules } from './samplePolicy'
import { manyGrants, sampleGrants } from './sampleGrants'
import { moreQuestions } from './sampleQuestions'
import { manyOffers } from './sampleReviews'
import { filesOffers, manyResources } from './sampleOffers'

/** A pretended host as the address asks for it. */
export function galleryHost(): FakeHost {
  const query = new URLSearchParams(location.search)
  const hostile = query.get('world') === 'hostile'
  const full = hostile ? hostileWorld(fullWorld()) : fullWorld()
  const host = new FakeHost(query.get('world') === 'first' ? emptyWorld() : full)
  if (query.get('kind') === 'headless') host.kind = 'headless'
  if (query.get('person') === 'yes') host.person = () => ({ kind: 'allow', arguments: null, remember: null })
  const files = full.tools.filter(({ server }) => server === 'files')
  const questions = hostile ? full.questions : [...full.questions, ...moreQuestions(files)]
  host.windowQuestion = questions.at(Number(query.get('question') ?? 0)) ?? null
  if (host.windowQuestion) host.world.questions = hostile || query.get('waiting') === 'all' ? questions : full.questions
  if (query.get('world') === 'first') host.world.questions = []
  const resources = Number(query.get('resources') ?? 0)
  if (resources > 0) host.world.offers['files'] = { ...filesOffers(), resources: manyResources(resources) }
  const offered = Number(query.get('offered') ?? 0)
  const granted = Number(query.get('granted') ?? 0)
  if (granted > 0) host.world.grants = [...sampleGrants(files, full.tools), ...manyGrants(granted, files, full.tools)]
  if (offered > 0) {
    host.world.reviews['notebook'] = manyOffers(offered)
    host.change('notebook', { waiting: offered, tools: offered })
  }
  happenings(host, query)
  return host
}

/** What the rules say, what happened, and where that is sent. */
function happenings(host: FakeHost, query: URLSearchParams): void {
  const rules = query.get('rules')
  if (rules === 'none') host.world.policy = noRules()
  else if (rules === 'broken') host.world.policy = brokenRules()
  else if (rules !== null) host.world.policy = manyRules(Number(rules))
  const happened = Number(query.get('happened') ?? 0)
  if (happened > 0) host.world.activity = manyHappenings(happened)
  if (query.has('unknown')) host.world.unknown = sampleUnknown()
  if (query.has('telemetry')) host.world.telemetry = someTelemetry(query.get('telemetry') === 'fails')
  host.world.model = query.get('model')
}
