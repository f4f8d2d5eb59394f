/** The door where there is no way to the host: it says why, whatever is asked. */
import type { Host } from './host'
import type { HostError } from './types.gen'

/** A door that stays shut. */
export function closedHost(error: HostError): Host {
  const refuse = (): Promise<never> => Promise.reject(error)
  return {
    kind: 'headless',
    ask: refuse,
    listen: refuse,
    pickConfigFile: refuse,
    saveText: refuse,
    openLink: refuse,
    answerQuestion: refuse,
    answerQuestions: refuse,
    previewAnswer: refuse,
    workspacesForThisWindow: refuse,
    questionsForThisWindow: refuse,
  }
}
