/** The page of the question's own window. */
import { mount } from 'svelte'
import { root, start } from './start'
import Question from './views/Question.svelte'
import QuestionUnreachable from './views/QuestionUnreachable.svelte'

const begun = await start()
if ('host' in begun) mount(Question, { target: root(), props: { host: begun.host } })
else mount(QuestionUnreachable, { target: root(), props: { error: begun.error } })
