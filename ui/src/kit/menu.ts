import type { IconName } from './icons'

/** An action of a menu. */
export interface MenuItem {
  /** What it does; no two of a menu are the same. */
  label: string
  icon?: IconName
  danger?: boolean
  disabled?: boolean
  /** Cannot be chosen yet: it keeps its place in the order of the focus, and the menu stays open under a press. */
  waits?: boolean
  /** Stands apart from those above. */
  apart?: boolean
  onselect: () => void
}
