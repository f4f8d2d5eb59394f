import type { IconName } from './icons'

/** An action of a menu. */
export interface MenuItem {
  /** What it does; no two of a menu are the same. */
  label: string
  icon?: IconName
  danger?: boolean
  disabled?: boolean
  /** Stands apart from those above. */
  apart?: boolean
  /** The menu stays open if the event's default is prevented. */
  onselect: (event: Event) => void
}
