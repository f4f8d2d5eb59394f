/**
 * What is different between two texts, piece by piece.
 *
 * Always true here: the kept and removed pieces in order are the text before, the kept and added ones the text after.
 */

/** A run of pieces with the same fate. */
export interface Piece {
  kind: 'kept' | 'removed' | 'added'
  text: string
}

/** Beyond this many comparisons the middle is told as replaced, so that a long text cannot stall the window. */
const MOST_COMPARISONS = 4_000_000

/** By words, for prose. */
export function differenceOfWords(before: string, after: string): Piece[] {
  return smoothed(difference(words(before), words(after)))
}

function words(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
}

/** Joins changes that only white space and marks stand between: a sentence rewritten reads as one, not word for word. */
function smoothed(pieces: readonly Piece[]): Piece[] {
  const smooth: Piece[] = []
  let [removed, added] = ['', '']
  const close = (): void => {
    add(smooth, 'removed', [removed])
    add(smooth, 'added', [added])
    removed = added = ''
  }
  pieces.forEach((piece, at) => {
    if (piece.kind === 'removed') removed += piece.text
    else if (piece.kind === 'added') added += piece.text
    else if (
      removed !== '' &&
      added !== '' &&
      at < pieces.length - 1 &&
      !/[\p{L}\p{N}]/u.test(piece.text)
    ) {
      removed += piece.text
      added += piece.text
    } else {
      close()
      add(smooth, 'kept', [piece.text])
    }
  })
  close()
  return smooth
}

/** By lines, for code and JSON. */
export function differenceOfLines(before: string, after: string): Piece[] {
  return difference(lines(before), lines(after))
}

/** JSON with its names in order, so that only what means something differs. */
export function orderedJson(value: unknown): string {
  return JSON.stringify(ordered(value), null, 2) ?? ''
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([left], [right]) =>
    left < right ? -1 : left > right ? 1 : 0,
  )
  return Object.fromEntries(entries.map(([name, part]) => [name, ordered(part)]))
}

function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** By any pieces. */
export function difference(before: readonly string[], after: readonly string[]): Piece[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before.at(-1 - end) === after.at(-1 - end)
  )
    end += 1

  const pieces: Piece[] = []
  add(pieces, 'kept', before.slice(0, start))
  middle(pieces, before.slice(start, before.length - end), after.slice(start, after.length - end))
  add(pieces, 'kept', before.slice(before.length - end))
  return pieces
}

/** Longest common subsequence, the textbook way. */
function middle(pieces: Piece[], before: readonly string[], after: readonly string[]): void {
  if (before.length * after.length > MOST_COMPARISONS) {
    add(pieces, 'removed', before)
    add(pieces, 'added', after)
    return
  }
  const width = after.length + 1
  const longest = new Uint32Array((before.length + 1) * width)
  const at = (row: number, column: number): number => longest[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      longest[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  let row = 0
  let column = 0
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      add(pieces, 'kept', [before[row] ?? ''])
      row += 1
      column += 1
    } else if (
      row < before.length &&
      (column === after.length || at(row + 1, column) >= at(row, column + 1))
    ) {
      add(pieces, 'removed', [before[row] ?? ''])
      row += 1
    } else {
      add(pieces, 'added', [after[column] ?? ''])
      column += 1
    }
  }
}

function add(pieces: Piece[], kind: Piece['kind'], parts: readonly string[]): void {
  const text = parts.join('')
  if (text === '') return
  const last = pieces.at(-1)
  if (last?.kind === kind) last.text += text
  else pieces.push({ kind, text })
}
