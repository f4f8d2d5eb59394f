/** What pretended tools answer. */
import type { ToolAnswer } from '../types.gen'

const RATES: Record<string, number> = { 'USD/EUR': 0.92, 'EUR/USD': 1.09, 'USD/CNY': 7.24, 'EUR/CNY': 7.86 }

/** The answer of a tool of this name. */
export function answerFor(tool: string, args: Record<string, unknown>): ToolAnswer {
  if (tool === 'get_exchange_rate') return exchangeRate(args)
  if (tool === 'everything') return everything()
  return text(`${tool} was called with ${JSON.stringify(args)}.`)
}

function text(words: string): ToolAnswer {
  return { content: [{ kind: 'text', text: words }], structured: null, is_error: false, notes: [] }
}

function exchangeRate(args: Record<string, unknown>): ToolAnswer {
  const pair = `${String(args['base'])}/${String(args['target'])}`
  const rate = RATES[pair]
  if (rate === undefined) return { ...text(`There is no rate for ${pair}.`), is_error: true }
  return { ...text(`1 ${pair.slice(0, 3)} = ${rate} ${pair.slice(4)}`), structured: { pair, rate } }
}

/** A tiny picture: one brass pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mO4sajmPwAHlwMxN0WvVQAAAABJRU5ErkJggg=='

function everything(): ToolAnswer {
  return {
    content: [
      { kind: 'text', text: 'All kinds of content, with a hidden\u202e mark.' },
      { kind: 'image', data: PIXEL, mime_type: 'image/png' },
      { kind: 'resource_link', uri: 'https://example.com/report', name: 'report', title: 'The report', description: null, mime_type: 'text/html' },
      { kind: 'resource', uri: 'file:///home/ada/notes.txt', mime_type: 'text/plain', text: 'Remember the milk.', blob: null },
      { kind: 'unknown', value: { type: 'hologram', depth: 3 } },
    ],
    structured: { items: [{ id: 1, name: 'first' }, { id: 2, name: 'second' }], total: 2 },
    is_error: false,
    notes: [{ kind: 'hidden_characters', count: 1 }, { kind: 'secrets_masked' }],
  }
}
