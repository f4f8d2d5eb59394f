/**
 * Assistants in words, and the form in which one is filled in. Pure.
 *
 * Always true here: a form that was filled in from what is there, and not touched, changes nothing.
 */
import type {
  AnswerType,
  AssistantId,
  AssistantSettings,
  AssistantTools,
  ChosenTool,
  ModelId,
} from '../../host/types.gen'
import { m, number, plural, type Key } from '../../messages'

/** What another model can be answered, in the order in which it is offered. */
export const ANSWERS = [
  'text',
  'boolean',
  'integer',
  'number',
  'date',
  'one_of',
  'json',
] as const satisfies readonly AnswerType['kind'][]

/** As many characters are taken, and as many answers to choose from. */
const LONGEST = { name: 60, description: 1_000, instructions: 8_000, choice: 100 }
const FEWEST_CHOICES = 2
const MOST_CHOICES = 20

/** What a person has filled in, as they have typed it. */
export interface AssistantForm {
  name: string
  description: string
  instructions: string
  /** Empty: the one that is in use where it works. */
  model: ModelId
  /** Whether it is shown all tools, whatever was chosen. */
  allTools: boolean
  chosen: ChosenTool[]
  calculates: boolean
  helpers: AssistantId[]
  isHelper: boolean
  answer: AnswerType['kind']
  /** What there is to choose from, one a line. */
  choices: string
}

/** An empty form. */
export function emptyForm(): AssistantForm {
  return {
    name: '',
    description: '',
    instructions: '',
    model: '',
    allTools: true,
    chosen: [],
    calculates: false,
    helpers: [],
    isHelper: false,
    answer: 'text',
    choices: '',
  }
}

/** The form for an assistant that is set up like this. */
export function formOf(settings: AssistantSettings): AssistantForm {
  const { name, description, instructions, tools, answer } = settings
  return {
    name,
    description,
    instructions,
    model: settings.model ?? '',
    allTools: tools.kind === 'all',
    chosen: tools.kind === 'all' ? [] : tools.tools,
    calculates: settings.calculates,
    helpers: settings.helpers,
    isHelper: settings.is_helper,
    answer: answer.kind,
    choices: answer.kind === 'one_of' ? answer.choices.join('\n') : '',
  }
}

/** What is kept of a form. */
export function settingsOf(form: AssistantForm): AssistantSettings {
  return {
    name: form.name.trim(),
    description: form.description.trim(),
    instructions: form.instructions.trim(),
    model: form.model === '' ? null : form.model,
    tools: form.allTools ? { kind: 'all' } : { kind: 'chosen', tools: form.chosen },
    calculates: form.calculates,
    helpers: form.helpers,
    is_helper: form.isHelper,
    answer:
      form.answer === 'one_of'
        ? { kind: 'one_of', choices: choicesOf(form) }
        : { kind: form.answer },
  }
}

function choicesOf({ choices }: AssistantForm): string[] {
  return choices
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

type Checked = 'name' | 'description' | 'instructions' | 'choices'

/** What is wrong with a form, by field. */
export function problemsOf(form: AssistantForm): Partial<Record<Checked, string>> {
  const problems: Partial<Record<Checked, string>> = {}
  for (const field of ['name', 'description', 'instructions'] as const)
    if ([...form[field].trim()].length > LONGEST[field])
      problems[field] = m('assistants.too_long', { n: number(LONGEST[field]) })
  if (form.name.trim() === '') problems.name = m('form.problem.needed')
  if (form.answer === 'one_of' && !areChoices(choicesOf(form)))
    problems.choices = m('assistants.bad_choices')
  return problems
}

function areChoices(choices: string[]): boolean {
  const different = new Set(choices.map((one) => one.toLowerCase())).size
  return (
    choices.length >= FEWEST_CHOICES &&
    choices.length <= MOST_CHOICES &&
    different === choices.length &&
    choices.every((one) => [...one].length <= LONGEST.choice)
  )
}

/** What a kind of answer is called. */
export function answerWords(kind: AnswerType['kind']): string {
  return m(`assistants.answer.${kind}` as Key)
}

/** Which tools one is shown, in a few words. */
export function toolsWords(tools: AssistantTools): string {
  if (tools.kind === 'all') return m('assistants.tools.all')
  if (tools.tools.length === 0) return m('assistants.tools.no')
  const servers = [...new Set(tools.tools.map(({ server }) => server))].join(', ')
  return plural('assistants.tools.some', tools.tools.length, { servers })
}
