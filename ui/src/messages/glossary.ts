/** The words of the product, each with what it means. Which there are, the catalogue alone says. */
import { language, m, type Key } from '.'

/** A word and its meaning, in the language of the window. */
export interface Term {
  id: string
  term: string
  means: string
}

/** Every term, in the order of the language's alphabet. */
export function glossary(): Term[] {
  const { compare } = new Intl.Collator(language.current)
  return Object.keys(language.texts)
    .flatMap((key) => /^glossary\.(\w+)\.term$/.exec(key)?.[1] ?? [])
    .map((id) => ({
      id,
      term: m(`glossary.${id}.term` as Key),
      means: m(`glossary.${id}.means` as Key),
    }))
    .sort((a, b) => compare(a.term, b.term))
}

/** The terms that hold every word, those that are called by it before those that are explained by it. */
export function holding(terms: Term[], words: string): Term[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const holds = (text: string): boolean => wanted.every((word) => text.toLowerCase().includes(word))
  const called = terms.filter(({ term }) => holds(term))
  const explained = terms.filter(({ term, means }) => !holds(term) && holds(`${term}\n${means}`))
  return [...called, ...explained]
}
