/** Light, dark, or as the system has it. Kept in this browser or window only. */
export type Theme = 'system' | 'light' | 'dark'

const KEPT_AS = 'majordomo.theme'

/** The theme that was chosen. */
export function chosenTheme(): Theme {
  const value = localStorage.getItem(KEPT_AS)
  return value === 'light' || value === 'dark' ? value : 'system'
}

/** Chooses a theme and shows it. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEPT_AS)
  else localStorage.setItem(KEPT_AS, theme)
  showTheme(theme)
}

/** Shows a theme. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
