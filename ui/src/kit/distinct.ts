/** The items without those whose key came before: lists from outside may say the same thing twice. */
export function distinct<T>(items: readonly T[], key: (item: T) => string): T[] {
  const seen = new Set<string>()
  return items.filter((item) => !seen.has(key(item)) && seen.add(key(item)))
}
