/**
 * Conversations with models: the list, and the ones that were opened, as they grow.
 *
 * Always true here: what is shown of a conversation is what the host has kept, and behind it what has come in since; a piece
 * that does not fit is never shown: all of it is read again.
 */
import { asHostError } from '../host/error'
import type {
  CallId,
  ConversationId,
  ConversationItem,
  ConversationPage,
  ConversationView,
  HostError,
  HostEvent,
  ModelId,
  ReplyItem,
  ReplyPiece,
  TurnEnd,
} from '../host/types.gen'
import type { Ask } from './ask'
import { Resource } from './resource.svelte'

/** How many things are read of a conversation at once. */
const PAGE = 60

/** One conversation, as far as it was read. */
export class Thread {
  readonly id: ConversationId
  readonly #ask: Ask
  /** The conversation itself; absent until it was read. */
  view = $state.raw<ConversationView | null>(null)
  /** What was said, in its order. */
  items = $state.raw<ConversationItem[]>([])
  /** The number of the first of these. */
  from = $state(0)
  /** What the person said while the model answers. */
  steered = $state.raw<string[]>([])
  /** What has come of the reply that is coming in. */
  coming = $state.raw<ReplyItem[]>([])
  ended = $state.raw<TurnEnd | null>(null)
  /** Why it could not be read. */
  error = $state.raw<HostError | null>(null)
  /** Whether what came before is being read. */
  readingBefore = $state(false)

  /** Of which reply pieces are added, and the number of the next; absent where that is not known. */
  #growing: { turn: string; step: number; next: number } | null = null
  #reading = false
  #again = false

  constructor(ask: Ask, id: ConversationId) {
    this.#ask = ask
    this.id = id
  }

  /** Whether something goes on in it. */
  get busy(): boolean {
    const kind = this.view?.state.kind
    return kind === 'asking' || kind === 'calling' || kind === 'retrying'
  }

  /** Reads its end again. Asked for meanwhile, it is read once more. */
  async read(): Promise<void> {
    this.#again = true
    if (this.#reading) return
    this.#reading = true
    while (this.#again) {
      this.#again = false
      try {
        this.#take(
          await this.#ask('read_conversation', {
            conversation: this.id,
            before: null,
            limit: PAGE,
          }),
        )
        this.error = null
      } catch (thrown) {
        this.error = asHostError(thrown)
      }
    }
    this.#reading = false
  }

  /** Reads what was said before. */
  async readBefore(): Promise<void> {
    if (this.readingBefore || this.from === 0) return
    this.readingBefore = true
    try {
      const page = await this.#ask('read_conversation', {
        conversation: this.id,
        before: this.from,
        limit: PAGE,
      })
      this.items = [...page.items, ...this.items]
      this.from = page.from
    } catch (thrown) {
      this.error = asHostError(thrown)
    }
    this.readingBefore = false
  }

  /** It is another one than before. */
  changed(view: ConversationView): void {
    this.view = view
    void this.read()
  }

  /** A piece of a reply has come. */
  grow(piece: ReplyPiece): void {
    const { turn, step } = piece
    if (piece.piece === 0 && this.coming.length === 0) this.#growing = { turn, step, next: 0 }
    const growing = this.#growing
    if (growing?.turn !== turn || growing.step !== step || growing.next !== piece.piece) {
      this.#growing = null
      void this.read()
      return
    }
    growing.next += 1
    this.coming = grown(this.coming, piece)
  }

  #take(page: ConversationPage): void {
    this.view = page.conversation
    // What was read before what is read now stays.
    const before = page.from > this.from ? this.items.slice(0, page.from - this.from) : []
    const joins = before.length === page.from - this.from
    this.items = joins ? [...before, ...page.items] : page.items
    if (!joins || page.from < this.from) this.from = page.from
    this.steered = page.steered
    this.ended = page.ended
    // What has come meanwhile, piece by piece, is no less than what was read.
    if (this.#growing === null || page.coming.length === 0) this.coming = page.coming
    if (page.coming.length === 0) this.#growing = null
  }
}

/** What has come, with one piece more. */
function grown(coming: ReplyItem[], { text, is_reasoning }: ReplyPiece): ReplyItem[] {
  const kind = is_reasoning ? 'reasoning' : 'text'
  const last = coming.at(-1)
  return last?.kind === kind
    ? [...coming.slice(0, -1), { kind, text: last.text + text }]
    : [...coming, { kind, text }]
}

export class Conversations {
  readonly #ask: Ask
  readonly #threads = new Map<ConversationId, Thread>()
  /** The list, the last changed first; what is looked for narrows it. */
  readonly listed = new Resource<ConversationView[]>()
  #sought = ''

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** One that was opened. */
  thread(id: ConversationId): Thread {
    const known = this.#threads.get(id)
    if (known) return known
    const thread = new Thread(this.#ask, id)
    this.#threads.set(id, thread)
    return thread
  }

  /** Lists those that hold some words, or all. */
  async list(text = ''): Promise<void> {
    this.#sought = text.trim()
    await this.listed.load(() =>
      this.#ask('list_conversations', { text: this.#sought === '' ? null : this.#sought }),
    )
  }

  /** Begins one. */
  async start(model: ModelId | null = null): Promise<ConversationView> {
    const begun = await this.#ask('start_conversation', { model })
    this.#put(begun)
    return begun
  }

  /** Says something; what comes of it arrives in its thread. */
  async say(id: ConversationId, text: string, model: ModelId | null = null): Promise<void> {
    this.#put(await this.#ask('say_in_conversation', { conversation: id, text, model }))
    void this.thread(id).read()
  }

  /** Stops what goes on, or one call. */
  async stop(id: ConversationId, call: CallId | null = null): Promise<void> {
    await this.#ask('stop_conversation', { conversation: id, call })
  }

  /** Lets it go on. */
  async goOn(id: ConversationId): Promise<void> {
    this.#put(await this.#ask('go_on', { conversation: id }))
  }

  replace(): void {
    if (this.listed.value !== undefined) void this.list(this.#sought)
    for (const thread of this.#threads.values()) void thread.read()
  }

  onEvent(event: HostEvent): void {
    switch (event.kind) {
      case 'conversation_changed':
        this.#put(event.conversation)
        this.#threads.get(event.conversation.id)?.changed(event.conversation)
        break
      case 'reply_grew':
        this.#threads.get(event.conversation)?.grow(event.piece)
        break
      case 'conversation_deleted':
        this.#threads.delete(event.conversation)
        this.listed.value = this.listed.value?.filter(({ id }) => id !== event.conversation)
        break
    }
  }

  #put(view: ConversationView): void {
    const list = this.listed.value
    if (list === undefined) return
    const others = list.filter(({ id }) => id !== view.id)
    // Whether another one holds the words that are looked for, the host knows.
    if (this.#sought !== '' && others.length === list.length) return
    this.listed.value = [view, ...others].sort((a, b) => b.changed_at - a.changed_at)
  }
}
