/** What the pretended browser lacks, and a clean start for every test. */
import { configure } from '@testing-library/svelte'
import { afterEach, beforeEach } from 'vitest'
import { language } from '../src/messages'

// Only bounds a failure: a busy machine is no reason to fail.
configure({ asyncUtilTimeout: 30_000 })

// It takes its page for one of the last century, and knows no styles of the elements of a formula.
Object.defineProperty(document, 'compatMode', { configurable: true, value: 'CSS1Compat' })
Object.defineProperty(Element.prototype, 'style', {
  configurable: true,
  get(this: Element) {
    return {
      setProperty: (name: string, value: string) =>
        this.setAttribute('style', `${this.getAttribute('style') ?? ''}${name}: ${value};`),
    }
  },
})

// Once both catalogues are there, a language is in use as soon as it is chosen.
for (const choice of ['en', 'zh-CN', 'system'] as const) {
  language.choose(choice)
  await language.load()
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  location.hash = ''
})

afterEach(() => {
  document.body.innerHTML = ''
})
