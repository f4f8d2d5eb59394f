/** Whether a text is found by the words that a person types. Pure. */

/** Whether it holds each of the words, in any order, in small or capital letters alike; no words are in every text. */
export function holdsWords(text: string, words: string): boolean {
  const said = text.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word))
}
