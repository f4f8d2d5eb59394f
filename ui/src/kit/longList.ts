/** A long list in pieces, each of which is drawn or keeps its room. Pure. */

/** Some entries that stand together. */
export interface Piece<Item> {
  /** The index of the first of them in the whole list. */
  first: number
  items: Item[]
}

/** So many entries are drawn together. */
export const PIECE = 10

/** The pieces, in order; together they are the list. */
export function inPieces<Item>(items: readonly Item[]): Piece<Item>[] {
  return Array.from({ length: Math.ceil(items.length / PIECE) }, (_, at) => ({
    first: at * PIECE,
    items: items.slice(at * PIECE, (at + 1) * PIECE),
  }))
}

/** How high entries are together, with what lies between them. */
export function heightOf<Item>(
  items: readonly Item[],
  height: (item: Item) => number,
  gap: number,
): number {
  return items.reduce((sum, item) => sum + height(item), gap * Math.max(0, items.length - 1))
}
