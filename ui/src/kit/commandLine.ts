/** A command and its arguments on one line, to be read. */
export function commandLine(words: readonly string[]): string {
  return words.map(word).join(' ')
}

/** A word of a command, in quotes where it would look like several, or like none. */
function word(text: string): string {
  return /[\s"']|^$/.test(text) ? JSON.stringify(text) : text
}
