/** Sample assistants: one that does tasks for others, one with an answer from a list. */
import type { AssistantSettings, AssistantView } from '../types.gen'

const DAY = 24 * 60 * 60_000
const ADDED = Date.UTC(2026, 10, 21, 9, 30) - 2 * DAY

/** An assistant that was set up with a name, and with nothing else that is not said here. */
export function assistant(settings: Partial<AssistantSettings> = {}): AssistantSettings {
  return {
    name: 'Researcher',
    description: '',
    instructions: '',
    model: null,
    tools: { kind: 'all' },
    calculates: false,
    helpers: [],
    is_helper: false,
    answer: { kind: 'text' },
    ...settings,
  }
}

/** Assistants that were made. */
export function someAssistants(): AssistantView[] {
  return [
    {
      id: 'assistant-1',
      settings: assistant({
        name: 'Researcher',
        description: 'Looks something up on the web and in your documents, and names the place.',
        instructions: 'Name the page or the file for everything that you say.',
        tools: {
          kind: 'chosen',
          tools: [
            { server: 'files', tool: 'read_page' },
            { server: 'web', tool: 'read_page' },
          ],
        },
        is_helper: true,
      }),
      added_at: ADDED,
    },
    {
      id: 'assistant-2',
      settings: assistant({
        name: 'Invoice check',
        description: 'Says how urgent an invoice is.',
        instructions: 'An invoice is urgent where it is due within a week.',
        model: 'model-1',
        tools: { kind: 'chosen', tools: [{ server: 'files', tool: 'read_page' }] },
        calculates: true,
        helpers: ['assistant-1'],
        answer: { kind: 'one_of', choices: ['urgent', 'soon', 'later'] },
      }),
      added_at: ADDED,
    },
  ]
}
