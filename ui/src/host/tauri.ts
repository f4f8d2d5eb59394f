/**
 * The door in the real window. The only file that knows Tauri.
 *
 * Always true here: the main window's capabilities decide what is let through, not this file.
 */
import { invoke } from '@tauri-apps/api/core'
import { listen } from '@tauri-apps/api/event'
import { asHostError } from './error'
import type {
  MethodReplies,
  Host,
  Listener,
  Method,
  NoticeWords,
  ParamsArgument,
  PickedFile,
} from './host'
import type {
  Decision,
  DecisionPreview,
  BatchDecision,
  BatchOutcome,
  EventEnvelope,
  Question,
  QuestionId,
  WorkspaceView,
} from './types.gen'

/** Whether this page runs in a Tauri window. */
export function inTauri(): boolean {
  return '__TAURI_INTERNALS__' in window
}

async function call<T = unknown>(command: string, args?: Record<string, unknown>): Promise<T> {
  try {
    return await invoke<T>(command, args)
  } catch (thrown) {
    throw asHostError(thrown)
  }
}

/** The host behind the window's commands. */
export function tauriHost(): Host {
  return {
    kind: 'window',
    ask<M extends Method>(method: M, ...[params]: ParamsArgument<M>): Promise<MethodReplies[M]> {
      return call('rpc', { request: params === undefined ? { method } : { method, params } })
    },
    listen: (listener: Listener) =>
      listen<EventEnvelope>('host-event', (event) => listener.event(event.payload)),
    pickFolder: () => call<string | null>('pick_folder'),
    pickConfigFile: () => call<PickedFile | null>('pick_config_file'),
    saveText: (fileName: string, text: string) =>
      call<string | null>('save_text', { fileName, text }),
    async openLink(url: string) {
      await call('open_link', { url })
    },
    setNotices: (words: NoticeWords) => call<boolean>('set_notices', { words }),
    async answerQuestion(question: QuestionId, answer: Decision) {
      await call('answer_question', { question, answer })
    },
    answerQuestions: (answers: BatchDecision[]) =>
      call<BatchOutcome>('answer_questions', { answers }),
    previewAnswer: (question: QuestionId, answer: Decision) =>
      call<DecisionPreview>('preview_answer', { question, answer }),
    workspacesForThisWindow: () => call<WorkspaceView[]>('workspaces_for_this_window'),
    async openQuestion(question: QuestionId) {
      await call('open_question', { question })
    },
    questionsForThisWindow: () => call<Question[]>('questions_for_this_window'),
  }
}
