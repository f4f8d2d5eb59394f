/**
 * The pretended host of `?host=fake` while developing. In the address `world=`, `person=no` (nobody answers), `question=`,
 * `waiting=`, `clients=`, `granted=`, `resources=`, `offered=`, `tools=`, `rules=` (a number, `none` or `broken`), `happened=`, `unknown`, `found`,
 * `telemetry=`, `model=` and `sandbox=` choose what is shown; `fails=` names a request that fails once, and with which error: `test_model:unreachable`.
 */
import { FakeHost } from '../fake'
import type { Method } from '../host'
import type { ErrorCode } from '../types.gen'
import { acts, unanswered } from './acts'
import { hostileActs, hostileWorld } from './hostile'
import { emptyWorld, fullWorld } from './sample'
import { manyHappenings } from './sampleActivity'
import { manyClients } from './sampleClients'
import { manyGrants, sampleGrants } from './sampleGrants'
import { sampleUnknown } from './sampleLog'
import { manyResources } from './sampleFeatures'
import { brokenRules, manyRules, noRules } from './samplePolicy'
import { manyConfigurations } from './sampleImport'
import { moreQuestions } from './sampleQuestions'
import { noSampling, someTelemetry } from './sampleReports'
import { manyOffers, manyTools } from './sampleReviews'
import { showing, type World } from './world'

/** A pretended host as the address asks for it. */
export function galleryHost(): FakeHost {
  const query = new URLSearchParams(location.search)
  const hostile = query.get('world') === 'hostile'
  const world = worldOf(query)
  const files = world.tools.filter(({ server }) => server === 'files')
  const questions = hostile ? world.questions : [...world.questions, ...moreQuestions(files)]
  const host = new FakeHost({
    ...showing(world),
    ...acts(world),
    ...(hostile ? hostileActs() : {}),
    ...(query.get('person') === 'no' ? unanswered() : {}),
  })
  if (query.get('kind') === 'headless') host.kind = 'headless'
  host.folder = '/home/ada/Pictures'
  host.workspacesHere = world.workspaces
  const [fails, code] = (query.get('fails') ?? '').split(':')
  if (fails && code) host.failNext(fails as Method, code as ErrorCode)
  const first = questions.at(Number(query.get('question') ?? 0))
  if (first) {
    const all = hostile || query.get('waiting') === 'all' ? questions : world.questions
    host.questionsHere = [first, ...all.filter(({ id }) => id !== first.id)]
  }
  return host
}

/** What is shown. */
function worldOf(query: URLSearchParams): World {
  const number = (name: string): number => Number(query.get(name) ?? 0)
  const which = query.get('world')
  const world = which === 'first' ? emptyWorld() : fullWorld(query.get('sandbox'))
  const files = world.tools.filter(({ server }) => server === 'files')
  const rules = query.get('rules')
  if (rules === 'none') world.policy = noRules()
  else if (rules === 'broken') world.policy = brokenRules()
  else if (rules !== null) world.policy = manyRules(Number(rules))
  if (number('clients') > 0) world.clients = manyClients(number('clients'))
  if (number('happened') > 0) world.activity = manyHappenings(number('happened'))
  if (number('resources') > 0 && world.offers['files'])
    world.offers['files'].resources = manyResources(number('resources'))
  if (number('granted') > 0)
    world.grants = [
      ...sampleGrants(files, world.tools),
      ...manyGrants(number('granted'), files, world.tools),
    ]
  if (number('offered') > 0) {
    world.reviews['notebook'] = manyOffers(number('offered'))
    world.servers = world.servers.map((server) =>
      server.id === 'notebook'
        ? { ...server, waiting: number('offered'), tools: number('offered') }
        : server,
    )
  }
  if (query.has('found')) world.configurations = manyConfigurations()
  if (number('tools') > 0) world.tools = [...world.tools, ...manyTools(number('tools'))]
  if (query.has('unknown')) world.unknown = sampleUnknown()
  if (query.has('telemetry')) world.telemetry = someTelemetry(query.get('telemetry') === 'fails')
  world.sampling = noSampling(query.get('model'))
  return which === 'hostile' ? hostileWorld(world) : world
}
