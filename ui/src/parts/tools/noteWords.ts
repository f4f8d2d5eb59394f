/** What this host did to a result, in words. */
import { m, number, plural } from '../../messages'
import type { ResultNote } from '../../host/types.gen'

export function noteWords(note: ResultNote): string {
  switch (note.kind) {
    case 'hidden_characters':
      return plural('answer.note.hidden_characters', note.count)
    case 'covered':
      return [
        note.credentials > 0 ? plural('answer.note.covered_credentials', note.credentials) : '',
        note.numbers > 0 ? plural('answer.note.covered_numbers', note.numbers) : '',
      ]
        .filter((words) => words !== '')
        .join(' ')
    case 'cut':
      return m('answer.note.cut', { bytes: number(note.bytes), kept: number(note.kept) })
    default:
      return m(`answer.note.${note.kind}`)
  }
}
