/**
 * Conversations with models: the list, and the ones that were opened, as they grow.
 *
 * Always true here: what is shown of a conversation is what the host has kept, and behind it what has come in since; a piece
 * that does not fit is never shown: all of it is read again.
 */
import { asHostError } from '../host/error'
import type {
  AssistantId,
  CallId,
  Concern,
  Content,
  ConversationId,
  ConversationItem,
  ConversationPage,
  ConversationView,
  GrowingReply,
  HostError,
  HostEvent,
  ModelId,
  NewAttachment,
  ReplyItem,
  ReplyPiece,
  RequestLedger,
  Steered,
  TakenIn,
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
  steered = $state.raw<Steered[]>([])
  /** What has come of the reply that is coming in. */
  coming = $state.raw<ReplyItem[]>([])
  ended = $state.raw<TurnEnd | null>(null)
  /** From which servers it has taken something in. */
  takenIn = $state.raw<TakenIn[]>([])
  /** How many things at its beginning are out of a file. */
  imported = $state(0)
  /** Why it could not be read. */
  error = $state.raw<HostError | null>(null)
  /** What was begun here and not said. */
  draft = $state('')
  /** What was attached here and not said. */
  attachments = $state.raw<NewAttachment[]>([])
  /** Why what was to be said was not. */
  unsaid = $state.raw<HostError | null>(null)
  /** Whether what came before is being read. */
  readingBefore = $state(false)

  /** To which reply pieces are added, and the number of the next; absent where that is not known. */
  #growing: GrowingReply | null = null
  /** Pieces that did not fit: they may once it was read again. */
  #late: ReplyPiece[] = []
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
        const late = this.#late.splice(0)
        if (!late.every((piece) => this.#add(piece))) this.#again = true
      } catch (thrown) {
        this.error = asHostError(thrown)
      }
    }
    this.#reading = false
    this.#late = []
  }

  /** Reads what was said before. */
  async readBefore(): Promise<void> {
    if (this.readingBefore || this.from === 0) return
    this.readingBefore = true
    const before = this.from
    try {
      const page = await this.#ask('read_conversation', {
        conversation: this.id,
        before,
        limit: PAGE,
      })
      // Read anew meanwhile, it may begin elsewhere.
      if (this.from === before) {
        this.items = [...page.items, ...this.items]
        this.from = page.from
      }
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
    if (this.#add(piece)) return
    this.#late.push(piece)
    if (!this.#reading) void this.read()
  }

  /** Adds a piece behind what has come. Whether it is there now. */
  #add(piece: ReplyPiece): boolean {
    const { turn, step } = piece
    const growing = this.#growing
    const fits = growing !== null && isSame(growing, piece)
    // It was read already.
    if (fits && piece.piece < growing.pieces) return true
    const next = fits ? growing.pieces : this.coming.length === 0 ? 0 : null
    if (piece.piece !== next) return false
    this.#growing = { turn, step, pieces: next + 1 }
    this.coming = grown(this.coming, piece)
    return true
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
    this.takenIn = page.taken_in
    this.imported = page.imported
    const [mine, read] = [this.#growing, page.growing]
    // More may have come meanwhile, piece by piece, than was read.
    if (mine !== null && read !== null && isSame(mine, read) && mine.pieces > read.pieces) return
    this.coming = page.coming
    this.#growing = read
  }
}

/** Which reply of which turn. */
type Place = Pick<GrowingReply, 'turn' | 'step'>

/** Whether both are of the same reply. */
function isSame(one: Place, other: Place): boolean {
  return one.turn === other.turn && one.step === other.step
}

/** What has come, with one piece more. */
function grown(coming: ReplyItem[], { text, is_reasoning }: ReplyPiece): ReplyItem[] {
  const kind = is_reasoning ? 'reasoning' : 'text'
  const last = coming.at(-1)
  return last?.kind === kind
    ? [...coming.slice(0, -1), { kind, text: last.text + text }]
    : [...coming, { kind, text }]
}

/** The newer of two views of one conversation. */
function newer(view: ConversationView, known: ConversationView | undefined): ConversationView {
  return known && known.revision > view.revision ? known : view
}

export class Conversations {
  readonly #ask: Ask
  readonly #threads = new Map<ConversationId, Thread>()
  /** What is told of these comes late. */
  readonly #deleted = new Set<ConversationId>()
  /** The list, pinned ones first, then the last changed; what is looked for narrows it. */
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
    const sought = (this.#sought = text.trim())
    await this.listed.load(async () => {
      const listed = await this.#ask('list_conversations', { text: sought === '' ? null : sought })
      const known = new Map(this.listed.value?.map((view) => [view.id, view]))
      return listed
        .filter(({ id }) => !this.#deleted.has(id))
        .map((view) => newer(view, known.get(view.id)))
    })
  }

  /** Begins one, with an assistant or without. */
  async start(assistant: AssistantId | null = null): Promise<ConversationView> {
    const begun = await this.#ask('start_conversation', { model: null, assistant })
    this.#put(begun)
    return begun
  }

  /** Begins one with what stands in a file. */
  async import(text: string): Promise<ConversationView> {
    const begun = await this.#ask('import_conversation', { text })
    this.#put(begun)
    return begun
  }

  /** Says something; what comes of it arrives in its thread. */
  async say(
    id: ConversationId,
    text: string,
    attachments: NewAttachment[] = [],
    model: ModelId | null = null,
  ): Promise<void> {
    const conversation = id
    this.#put(await this.#ask('say_in_conversation', { conversation, text, attachments, model }))
    void this.thread(id).read()
  }

  /** Begins one with all that was said in another before a turn; that one stays as it is. */
  async branch(id: ConversationId, before: number): Promise<ConversationView> {
    const begun = await this.#ask('branch_conversation', { conversation: id, before })
    this.#put(begun)
    return begun
  }

  /**
   * Says something in the place of what began a turn, in a branch, and gives the branch. What could not be said there is its
   * draft; where there is no branch it fails.
   */
  async sayInstead(
    id: ConversationId,
    before: number,
    text: string,
    attachments: NewAttachment[] = [],
    model: ModelId | null = null,
  ): Promise<ConversationId> {
    const branch = await this.branch(id, before)
    const thread = this.thread(branch.id)
    try {
      await this.say(branch.id, text, attachments, model)
    } catch (thrown) {
      thread.draft = text
      thread.attachments = attachments
      thread.unsaid = asHostError(thrown)
    }
    return branch.id
  }

  /** Keeps one at the top, or not any more. */
  async pin(id: ConversationId, isPinned: boolean): Promise<void> {
    this.#put(await this.#ask('pin_conversation', { conversation: id, is_pinned: isPinned }))
  }

  /** Has what speaks to the model read for it, or shows the model everything. */
  async setReader(id: ConversationId, isOn: boolean): Promise<void> {
    this.#put(await this.#ask('set_reader', { conversation: id, is_on: isOn }))
  }

  /** What is in one of the things that are attached to what a person said. */
  async attachment(id: ConversationId, item: number, attachment: number): Promise<Content[]> {
    return (await this.#ask('read_attachment', { conversation: id, item, attachment })).content
  }

  /** What the request held that a reply answers. */
  ledger(id: ConversationId, reply: number): Promise<RequestLedger> {
    return this.#ask('read_ledger', { conversation: id, reply })
  }

  /** What speaks against the opening of an address that a model has written. */
  checkLink(id: ConversationId, address: string): Promise<Concern[]> {
    return this.#ask('check_link', { conversation: id, address })
  }

  /** Stops what goes on, or one call. */
  async stop(id: ConversationId, call: CallId | null = null): Promise<void> {
    await this.#ask('stop_conversation', { conversation: id, call })
  }

  /** Lets it go on, by these words where a turn is begun. */
  async goOn(id: ConversationId, words: string): Promise<void> {
    this.#put(await this.#ask('go_on', { conversation: id, words }))
  }

  replace(): void {
    // A host that was started anew counts anew.
    this.listed.value = this.listed.value?.map((view) => ({ ...view, revision: 0 }))
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
        // Who still looks at it learns that it is gone.
        void this.#threads.get(event.conversation)?.read()
        this.#threads.delete(event.conversation)
        this.#deleted.add(event.conversation)
        this.listed.value = this.listed.value?.filter(({ id }) => id !== event.conversation)
        break
    }
  }

  #put(view: ConversationView): void {
    const list = this.listed.value
    // What is done for another one stands in no list.
    if (list === undefined || view.task_of !== null) return
    const known = list.find(({ id }) => id === view.id)
    if (this.#deleted.has(view.id) || newer(view, known) !== view) return
    const others = list.filter(({ id }) => id !== view.id)
    // Whether another one holds the words that are looked for, the host knows.
    if (this.#sought !== '' && others.length === list.length) return
    this.listed.value = [view, ...others].sort(
      (a, b) => Number(b.is_pinned) - Number(a.is_pinned) || b.changed_at - a.changed_at,
    )
  }
}
