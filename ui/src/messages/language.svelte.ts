/**
 * The language of the window: what the person chose, or the system's. Kept in this browser or window only.
 *
 * Always true here: of the catalogues only those of languages that were in use are loaded; a language is in use once its texts are there.
 */
import type en from './en.json'

/** A choice of language. */
export type LanguageChoice = 'system' | 'en' | 'zh-CN'
/** A language that there is a catalogue for. */
export type Language = Exclude<LanguageChoice, 'system'>
/** Every text by its name. */
export type Catalogue = Readonly<Record<keyof typeof en, string>>

const KEPT_AS = 'majordomo.language'

const FILES: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import('./en.json'),
  'zh-CN': () => import('./zh-CN.json'),
}

function kept(): LanguageChoice {
  const value = localStorage.getItem(KEPT_AS)
  return value === 'en' || value === 'zh-CN' ? value : 'system'
}

function ofSystem(): Language {
  const first = navigator.languages.find((tag) => /^(en|zh)/i.test(tag))
  return first?.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'
}

class LanguageSetting {
  choice = $state<LanguageChoice>(kept())
  readonly #loaded = new Map<Language, Catalogue>()
  #inUse = $state.raw<{ language: Language; texts: Catalogue } | null>(null)

  /** The language in use. */
  get current(): Language {
    return this.#needed.language
  }

  /** Its texts. */
  get texts(): Catalogue {
    return this.#needed.texts
  }

  choose(choice: LanguageChoice): void {
    this.choice = choice
    if (choice === 'system') localStorage.removeItem(KEPT_AS)
    else localStorage.setItem(KEPT_AS, choice)
    void this.load()
  }

  /** Loads the texts of the language that is chosen, and puts it in use; at once where they are there. Rejects if they cannot be loaded. */
  async load(): Promise<void> {
    const language = this.#chosen
    const texts = this.#loaded.get(language) ?? (await FILES[language]()).default
    this.#loaded.set(language, texts)
    // Meanwhile another one may have been chosen.
    if (language !== this.#chosen) return
    this.#inUse = { language, texts }
    document.documentElement.lang = language
  }

  get #chosen(): Language {
    return this.choice === 'system' ? ofSystem() : this.choice
  }

  get #needed(): { language: Language; texts: Catalogue } {
    if (this.#inUse === null) throw new Error('the texts are not loaded yet')
    return this.#inUse
  }
}

export const language = new LanguageSetting()
