/** Promises of talking to a model in the window: what was said is there, what comes in is seen as it comes, nothing typed is lost. */
import { screen, within } from '@testing-library/svelte'
import { expect, it, onTestFinished } from 'vitest'
import App from '../../src/App.svelte'
import { hostError } from '../../src/host/error'
import type { FakeHost, Replies } from '../../src/host/fake'
import { conversationActs } from '../../src/host/fake/conversationActs'
import { emptyWorld, fullWorld } from '../../src/host/fake/sample'
import { conversation, reply, said, wanted } from '../../src/host/fake/sampleConversations'
import type {
  ConversationItem,
  ConversationPage,
  ConversationState,
  ConversationView,
  ErrorCode,
  ReplyPiece,
  Subject,
} from '../../src/host/types.gen'
import { language } from '../../src/messages/language.svelte'
import { held } from '../replies'
import { askedFor, open, page, settle, stores, until } from '../support'

const at = (where = 'talk-1', world = fullWorld(), replies: Replies = {}) =>
  open(App, world, `#/conversations/${where}`, { ...conversationActs(world), ...replies })
const press = (name: string): HTMLElement => screen.getByRole('button', { name })
const log = (): HTMLElement => screen.getByRole('log')
const box = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Say something' })
const calls = (): HTMLElement[] => screen.getAllByRole('article')

/** A page whose reply comes in. */
const busy = (
  state: ConversationState,
  more: Partial<ConversationPage> = {},
): ConversationPage => ({
  conversation: conversation('talk-1', 'Berths', { state }),
  items: [said('What does it cost?')],
  from: 0,
  total: 1,
  steered: [],
  coming: [],
  growing: null,
  taken_in: [],
  imported: 0,
  ended: null,
  ...more,
})
const grew = (host: FakeHost, piece: number, text: string, more: Partial<ReplyPiece> = {}): void =>
  host.publish({
    kind: 'reply_grew',
    conversation: 'talk-1',
    piece: { turn: 'turn-1', step: 1, piece, text, is_reasoning: false, ...more },
  })

it('without a model the next step is there', async () => {
  const { person } = await open(App, emptyWorld(), '#/conversations')
  expect(page()).toContain('No model yet')
  await person.click(press('Set up a model'))
  await settle()
  expect(page()).toContain('Look on this computer')
  expect(document.activeElement?.textContent).toBe('Models')
})

it('what was said is there, with the end of each call in words', async () => {
  await at()
  expect(log().textContent).toContain('What does the berth in the mail')
  expect(document.title).toBe('What does the harbour cost in crowns? · Majordomo')
  expect(
    calls().map(
      (one) => within(one).getByText(/^(Done|Denied|Not carried out|Outcome unknown)$/).textContent,
    ),
  ).toEqual(['Done', 'Denied', 'Not carried out', 'Outcome unknown'])
  expect(screen.getByRole('region', { name: 'Table' }).textContent).toContain('22,032')
})

it('a call unfolds to what was sent and what came back, and whose words that is', async () => {
  const { person } = await at()
  const [done, denied, , unknown] = calls()
  for (const one of [done, denied, unknown])
    await person.click(within(one!).getByText('What was sent, and what came of it'))
  await settle()
  expect(done!.textContent).toContain('1200 EUR are 29376 CZK')
  expect(done!.textContent).toContain('currency')
  expect(denied!.textContent).toContain('Not in dollars, please.')
  expect(unknown!.textContent).toContain('Nobody knows whether this was carried out:')
})

it('why a call was not carried out is said in the person’s language, and what the model is told word for word', async () => {
  language.choose('zh-CN')
  onTestFinished(() => language.choose('en'))
  const { person } = await at()
  const [, , notRun, unknown] = calls()
  expect(notRun!.textContent).toContain('参数无效。')
  expect(unknown!.textContent).toContain('运行期间服务器停止了。')
  expect(notRun!.textContent).not.toContain('Not carried out:')
  await person.click(within(notRun!).getByText('发送了什么，结果如何'))
  await settle()
  expect(notRun!.textContent).toContain('模型被告知的内容')
  expect(notRun!.textContent).toContain('Not carried out: the arguments are not valid')
})

it('a reply that did not come to its end says why, and what the service said where nothing else is known', async () => {
  const world = fullWorld()
  const broke = (code: ErrorCode | null, message: string): ConversationItem => ({
    ...(reply() as Extract<ConversationItem, { kind: 'reply' }>),
    broke: { kind: 'failed', code, message },
  })
  world.said['talk-1'] = [broke('unreachable', 'connection refused'), broke(null, 'odd end')]
  await at('talk-1', world)
  expect(log().textContent).toContain('The address cannot be reached. Nothing answers there.')
  const [known, unknown] = log().querySelectorAll('details')
  expect([known!.open, unknown!.open]).toEqual([false, true])
  expect(unknown!.textContent).toContain('odd end')
})

it('what Majordomo says in the place of a result is not called an answer of the tool', async () => {
  const world = fullWorld()
  const text = 'It was carried out. What came back was not kept, because the application ended.'
  world.said['talk-1'] = [
    reply(
      wanted('call-1', {
        kind: 'answered',
        result: {
          content: [{ kind: 'text', text }],
          is_error: false,
          structured: null,
          notes: [],
        } as never,
        label: { origins: [{ kind: 'host' }], trust: 'trusted', confidentiality: 'private' },
        at: 0,
      }),
    ),
  ]
  const { person } = await at('talk-1', world)
  await person.click(screen.getByText('What was sent, and what came of it'))
  await settle()
  expect(calls()[0]!.textContent).toContain('What the model is told')
  expect(calls()[0]!.textContent).not.toContain('Result of the tool')
})

it('what is said is sent once, and its answer is shown', async () => {
  const { host, person } = await at()
  await person.type(box(), 'And in dollars?{Enter}')
  await settle()
  expect(askedFor(host, 'say_in_conversation')).toEqual([
    { conversation: 'talk-1', text: 'And in dollars?', attachments: [], model: null },
  ])
  expect(log().textContent).toContain('You said: And in dollars?')
  expect(box().value).toBe('')
})

it('who begins a conversation can write at once', async () => {
  const { person } = await at()
  await person.click(screen.getByRole('button', { name: 'New conversation' }))
  await settle()
  expect(stores.router.route.path[0]).not.toBe('talk-1')
  expect(document.activeElement).toBe(box())
})

it('the focus goes on to where a person writes when a button is gone with what it has done', async () => {
  const world = fullWorld()
  const { person } = await at('talk-2', world)
  await person.click(screen.getByRole('button', { name: 'Let it go on' }))
  await settle()
  expect(screen.queryByRole('button', { name: 'Let it go on' })).toBeNull()
  expect(document.activeElement).toBe(box())
})

it('Shift and Enter begins a line and sends nothing', async () => {
  const { host, person } = await at()
  await person.type(box(), 'one{Shift>}{Enter}{/Shift}two')
  expect(box().value).toBe('one\ntwo')
  expect(askedFor(host, 'say_in_conversation')).toEqual([])
})

it('what could not be said stays where it was typed', async () => {
  const { host, person } = await at()
  host.failNext('say_in_conversation', 'disk_full')
  await person.type(box(), 'Keep this{Enter}')
  await settle()
  expect(box().value).toBe('Keep this')
  expect(screen.getByRole('alert')).toBeTruthy()
})

it('another model is asked from the next thing that is said', async () => {
  const { host, person } = await at()
  await person.selectOptions(screen.getByRole('combobox', { name: 'Model' }), 'Here')
  await person.type(box(), 'Again{Enter}')
  await settle()
  expect(askedFor<{ model: string }>(host, 'say_in_conversation')[0]?.model).toBe('model-2')
})

it('a reply is shown as it comes, and what was thought is folded', async () => {
  const { host } = await at('talk-1', fullWorld(), {
    read_conversation: busy({ kind: 'asking' }),
  })
  grew(host, 0, 'It is ', { is_reasoning: true })
  grew(host, 1, 'It costs ')
  grew(host, 2, '**900**')
  await settle()
  expect(log().textContent).toContain('It costs 900')
  expect(log().querySelector('strong')?.textContent).toBe('900')
  expect(log().querySelector('details')?.open).toBe(false)
})

it('after a gap all is read again, and no piece is shown twice', async () => {
  const { host } = await at('talk-1', fullWorld(), {
    read_conversation: busy({ kind: 'asking' }),
  })
  grew(host, 0, 'one ')
  await settle()
  host.reply(
    'read_conversation',
    busy({ kind: 'asking' }, { coming: [{ kind: 'text', text: 'one two three ' }] }),
  )
  grew(host, 2, 'three ')
  await settle()
  expect(log().textContent.match(/one|two|three/g)).toEqual(['one', 'two', 'three'])
})

/** A reply of which a few words had come when it was read. */
const midway = busy(
  { kind: 'asking' },
  {
    coming: [{ kind: 'text', text: 'one two ' }],
    growing: { turn: 'turn-1', step: 1, pieces: 2 },
  },
)
const readings = (host: FakeHost): number => askedFor(host, 'read_conversation').length

it('a page that is opened in the middle of a reply goes on with its next piece, without another reading', async () => {
  const { host } = await at('talk-1', fullWorld(), { read_conversation: midway })
  grew(host, 2, 'three ')
  grew(host, 3, 'four')
  await settle()
  expect(log().textContent).toContain('one two three four')
  expect(readings(host)).toBe(1)
})

it('a piece that was read already is not shown again', async () => {
  const { host } = await at('talk-1', fullWorld(), { read_conversation: midway })
  grew(host, 0, 'one ')
  grew(host, 1, 'two ')
  grew(host, 2, 'three')
  await settle()
  expect(log().textContent.match(/one|two|three/g)).toEqual(['one', 'two', 'three'])
  expect(readings(host)).toBe(1)
})

it('a gap in a reply that was opened midway is read again', async () => {
  const { host } = await at('talk-1', fullWorld(), { read_conversation: midway })
  host.reply('read_conversation', {
    ...midway,
    coming: [{ kind: 'text', text: 'one two three four ' }],
    growing: { turn: 'turn-1', step: 1, pieces: 4 },
  })
  grew(host, 3, 'four ')
  await settle()
  grew(host, 4, 'five')
  await settle()
  expect(log().textContent).toContain('one two three four five')
  expect(readings(host)).toBe(2)
})

it('what comes while a reply is read again is there afterwards, without a third reading', async () => {
  const { host } = await at('talk-1', fullWorld(), { read_conversation: midway })
  const read = held<typeof midway>()
  host.reply('read_conversation', () => read)
  grew(host, 3, 'four ')
  await settle()
  grew(host, 4, 'five')
  await settle()
  read.finish({
    ...midway,
    coming: [{ kind: 'text', text: 'one two three ' }],
    growing: { turn: 'turn-1', step: 1, pieces: 3 },
  })
  await settle()
  expect(log().textContent).toContain('one two three four five')
  expect(readings(host)).toBe(2)
})

it('what came while an older page was read stays', async () => {
  const { host } = await at('talk-1', fullWorld(), { read_conversation: midway })
  grew(host, 2, 'three ')
  host.publish({ kind: 'conversation_changed', conversation: midway.conversation })
  await settle()
  grew(host, 3, 'four')
  await settle()
  expect(log().textContent).toContain('one two three four')
  expect(readings(host)).toBe(2)
})

it('while something goes on it can be stopped, and something can be said meanwhile', async () => {
  const { host, person } = await at('talk-1', fullWorld(), {
    read_conversation: busy(
      { kind: 'calling' },
      { steered: [{ text: 'In crowns, too', attached: [] }] },
    ),
    stop_conversation: null,
  })
  expect(log().textContent).toContain('Tools are at work')
  expect(log().textContent).toContain('In crowns, too')
  expect(box().placeholder).toContain('next step')
  await person.click(press('Stop'))
  expect(askedFor(host, 'stop_conversation')).toEqual([{ conversation: 'talk-1', call: null }])
})

it('while one of its calls waits for the person it says so, in the list and at its end', async () => {
  const world = fullWorld()
  const working = (one: ConversationView): ConversationView => ({
    ...one,
    state: { kind: 'calling' },
  })
  world.conversations = world.conversations.map((one) => (one.id === 'talk-1' ? working(one) : one))
  const { host } = await at('talk-1', world)
  const told = (): string[] => [
    screen.getByRole('row', { selected: true }).textContent,
    ...within(log())
      .getAllByRole('status')
      .map(({ textContent }) => textContent),
  ]
  expect(told().filter((one) => one.includes('Tools are at work'))).toHaveLength(2)
  const [asked] = world.questions
  const subject = { ...asked!.subject, conversation: 'talk-1' } as Subject
  host.publish({
    kind: 'question_asked',
    question: { ...asked!, subject },
  })
  await settle()
  expect(told().filter((one) => one.includes('Waits for you'))).toHaveLength(2)
})

it('what was told of a conversation while an answer was on its way stays in the list', async () => {
  const { host, person } = await at('talk-2')
  const answer = held<ConversationView>()
  host.reply('go_on', () => answer)
  const told = (state: ConversationState, revision: number): ConversationView =>
    conversation('talk-2', 'Paused', { state, revision })
  await person.click(press('Let it go on'))
  host.publish({ kind: 'conversation_changed', conversation: told({ kind: 'idle' }, 3) })
  answer.finish(told({ kind: 'calling' }, 2))
  await settle()
  expect(screen.getByRole('row', { selected: true }).textContent).not.toContain('Tools are at work')
})

it('what was told of a conversation while the list was on its way is in it', async () => {
  const { host } = await at('talk-1')
  const answer = held<ConversationView[]>()
  host.reply('list_conversations', () => answer)
  const listed = stores.conversations.list()
  const told = (id: string, state: ConversationState, revision: number): ConversationView =>
    conversation(id, 'Berths', { state, revision })
  host.publish({ kind: 'conversation_changed', conversation: told('talk-1', { kind: 'idle' }, 3) })
  host.publish({ kind: 'conversation_deleted', conversation: 'talk-2' })
  answer.finish(['talk-1', 'talk-2'].map((id) => told(id, { kind: 'calling' }, 2)))
  await listed
  expect(stores.conversations.listed.value).toMatchObject([{ id: 'talk-1', revision: 3 }])
})

it('one that waits for the person goes on when they say so', async () => {
  const { host, person } = await at('talk-2')
  expect(log().textContent).toContain('as much as one turn may')
  await person.click(press('Let it go on'))
  await settle()
  expect(askedFor(host, 'go_on')).toEqual([{ conversation: 'talk-2', words: 'Go on.' }])
  expect(screen.queryByRole('button', { name: 'Let it go on' })).toBeNull()
})

it.each([
  ['broke', 'cut short', true],
  ['cut', 'limit of its length', true],
  ['refused', 'refused to answer', false],
  ['context_full', 'does not fit', false],
] as const)('a turn that ended as %s says so', async (ended, words, goesOn) => {
  await at('talk-1', fullWorld(), { read_conversation: busy({ kind: 'idle' }, { ended }) })
  expect(log().textContent).toContain(words)
  expect(screen.queryByRole('button', { name: 'Let it go on' }) !== null).toBe(goesOn)
})

it('of a long one the end is read, and what came before on demand', async () => {
  const { host, person } = await at('talk-3')
  expect(log().textContent).toContain('Answer 100')
  expect(log().textContent).not.toContain('Question 1?')
  await person.click(screen.getByRole('button', { name: /Show what was said before/ }))
  await settle()
  expect(
    askedFor<{ before: number | null }>(host, 'read_conversation').map(({ before }) => before),
  ).toEqual([null, 140])
  expect(log().textContent).toContain('Answer 41')
  expect(log().textContent).toContain('Answer 100')
})

it('an address leads nowhere before the person has seen where to', async () => {
  const { host, person } = await at()
  expect(log().querySelector('a')).toBeNull()
  await person.click(screen.getByRole('button', { name: 'harbour.example' }))
  expect(host.opened).toEqual([])
  expect(screen.getByRole('dialog').textContent).toContain(
    'https://harbour.example/prices?from=mail',
  )
  await person.click(press('Open in browser'))
  await settle()
  expect(host.opened).toEqual(['https://harbour.example/prices?from=mail'])
})

it('pictures of a model are drawn from what it sent, and only of kinds that do nothing', async () => {
  await at('talk-1', fullWorld(), {
    read_conversation: busy(
      { kind: 'idle' },
      {
        items: [
          reply(
            { kind: 'image', data: 'iVBORw0=', mime_type: 'image/png' },
            { kind: 'image', data: 'PHN2Zz4=', mime_type: 'image/svg+xml' },
            { kind: 'text', text: '![x](https://a.example/secret.png) <img src=x>' },
          ),
        ],
      },
    ),
  })
  expect([...log().querySelectorAll('img')].map((img) => img.getAttribute('src'))).toEqual([
    'data:image/png;base64,iVBORw0=',
  ])
  expect(log().textContent).toContain('<img src=x>')
})

it('words find the conversations that hold them', async () => {
  const { person } = await at('')
  await person.type(screen.getByRole('searchbox', { name: 'Search in conversations' }), 'notes')
  await screen.findByText('Tidy the notes of last week')
  await until(() => expect(screen.queryByText('A long one')).toBeNull())
})

it('a new one is begun and opened', async () => {
  const { host, person } = await at('')
  await person.click(press('New conversation'))
  await settle()
  expect(askedFor(host, 'start_conversation')).toEqual([{ model: null, assistant: null }])
  expect(log().textContent).toContain('you are asked before it does what you have not allowed')
})

it('one is renamed, saved and deleted, after a look at what goes', async () => {
  const { host, person } = await at()
  const more = async (name: string): Promise<void> => {
    await person.click(screen.getByRole('button', { name: /^More for “/ }))
    await settle()
    await person.click(screen.getByRole('menuitem', { name }))
    await settle()
  }
  await more('Rename')
  await person.clear(screen.getByRole('textbox', { name: /^Title/ }))
  await person.type(screen.getByRole('textbox', { name: /^Title/ }), 'Berths')
  await person.click(press('Rename'))
  await settle()
  expect(screen.getByRole('heading', { name: 'Berths' })).toBeTruthy()
  await more('Save as Markdown')
  expect(host.saved.map(({ fileName }) => fileName)).toEqual(['talk-1.md'])
  await more('Delete')
  expect(screen.getByRole('dialog').textContent).toContain('All that was said in it goes')
  expect(askedFor(host, 'delete_conversation')).toEqual([])
  await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await settle()
  expect(askedFor(host, 'delete_conversation')).toEqual([{ conversation: 'talk-1' }])
  expect(page()).toContain('Choose a conversation')
})

it('one that cannot be read says why', async () => {
  const world = fullWorld()
  await at('gone', world)
  expect(screen.getByRole('alert')).toBeTruthy()
})

it('assistants that cannot be read are told of, and asked for again', async () => {
  const world = fullWorld()
  let fails = true
  const { person } = await at('', world, {
    list_assistants: () => {
      if (fails) throw hostError('internal', 'The pipe is broken.')
      return world.assistants
    },
  })
  const problem = screen.getByRole('alert')
  expect(problem.textContent).toContain('The assistants could not be loaded')
  fails = false
  await person.click(within(problem).getByRole('button', { name: 'Try again' }))
  await until(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(press('New conversation with an assistant')).toBeTruthy()
})
