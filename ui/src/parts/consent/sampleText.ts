/** A request for a model as a person reads and changes it: its system prompt, its messages, how long the reply may be. */

type Params = Record<string, unknown>

/** One message; `text` is absent where it holds more than one text. */
export interface SampleMessage {
  role: string
  text: string | null
}

/** The messages of a request, in order. */
export function messagesOf(params: Params): SampleMessage[] {
  const messages: unknown[] = Array.isArray(params['messages']) ? params['messages'] : []
  return messages.map((message) => {
    const { role, content } = (message ?? {}) as Params
    return { role: typeof role === 'string' ? role : '', text: textOf(content) }
  })
}

function textOf(content: unknown): string | null {
  if (typeof content === 'string') return content
  const part: unknown = Array.isArray(content) && content.length === 1 ? content[0] : content
  if (typeof part !== 'object' || part === null) return null
  const { type, text } = part as Params
  return type === 'text' && typeof text === 'string' ? text : null
}

/** The request with other words in it; everything else stays as it was asked for. */
export function withWords(
  params: Params,
  words: { system: string; texts: (string | null)[]; most: string },
): Params {
  const messages: unknown[] = Array.isArray(params['messages']) ? params['messages'] : []
  const changed = messages.map((message, at) => {
    const text = words.texts[at]
    if (text === null || text === undefined || text === messagesOf(params)[at]?.text) return message
    const { content, ...rest } = message as Params
    if (typeof content === 'string') return { ...rest, content: text }
    return {
      ...rest,
      content: Array.isArray(content)
        ? [{ ...(content[0] as Params), text }]
        : { ...(content as Params), text },
    }
  })
  const { systemPrompt, ...rest } = params
  const system =
    words.system === '' && systemPrompt === undefined ? {} : { systemPrompt: words.system }
  return {
    ...rest,
    ...system,
    messages: changed,
    ...(words.most.trim() === '' ? {} : { maxTokens: Number(words.most) }),
  }
}
