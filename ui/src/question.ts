/** The page of the question's own window. It follows the questions of its own accord. */
import { show, start } from './start'
import Question from './views/Question.svelte'

show(Question, await start())
