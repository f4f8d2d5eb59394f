/** The language of the window: what the person chose, or the system's. Kept in this browser or window only. */

/** A choice of language. */
export type LanguageChoice = 'system' | 'en' | 'zh-CN'
/** A language that there is a catalogue for. */
export type Language = Exclude<LanguageChoice, 'system'>

const KEPT_AS = 'majordomo.language'

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

  /** The language in use. */
  get current(): Language {
    return this.choice === 'system' ? ofSystem() : this.choice
  }

  choose(choice: LanguageChoice): void {
    this.choice = choice
    if (choice === 'system') localStorage.removeItem(KEPT_AS)
    else localStorage.setItem(KEPT_AS, choice)
    document.documentElement.lang = this.current
  }
}

export const language = new LanguageSetting()
