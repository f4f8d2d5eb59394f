/** Recognises texts that are written in Markdown. Only a guess: the text as it came is always one press away. */

/** Longer texts are shown as they came, a piece at a time. */
const LONGEST = 60_000

/** Marks that other texts hardly have, and those that are also found in logs and settings. */
const CLEAR = [
  // Code between fences.
  /^(```|~~~)[^\n]*\n[^]*?^\1/m,
  // The line below the head of a table.
  /^\|?[ \t]*:?-{3,}:?[ \t]*\|[ \t:|-]*$/m,
]
const VAGUE = [
  // A heading, with an empty line below it: a comment in a script has none.
  /^#{1,6} \S[^\n]*\n\n/m,
  // Two entries of a list.
  /^ {0,3}(?:[-*+]|\d{1,3}[.)]) \S[^\n]*\n+ {0,3}(?:[-*+]|\d{1,3}[.)]) \S/m,
  /\*\*[^\s*][^*\n]{0,200}\*\*/,
  /\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)/,
  /^> \S/m,
]

/** `clear`: it is to be seen laid out; `maybe`: a person may want to; `no`: nothing would change. */
export function looksLikeMarkdown(text: string): 'clear' | 'maybe' | 'no' {
  if (text.length > LONGEST) return 'no'
  if (CLEAR.some((mark) => mark.test(text))) return 'clear'
  const marks = VAGUE.filter((mark) => mark.test(text)).length
  return marks > 1 ? 'clear' : marks === 1 ? 'maybe' : 'no'
}
