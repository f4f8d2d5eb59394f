// The first thing in sight with this role and this name, as a person or a screen reader would tell it; null if there is none.
// A name fits if it is the same or, failing that, begins the same.
const [role, name, pressable] = arguments
const selectors = {
  button: 'button:not([role]), [role=button], summary',
  link: 'a[href]',
  tab: '[role=tab]',
  switch: '[role=switch]',
  menuitem: '[role=menuitem]',
  option: '[role=option]',
  radio: 'input[type=radio], [role=radio]',
  checkbox: 'input[type=checkbox], [role=checkbox]',
  field: 'input:not([type=radio]):not([type=checkbox]), textarea, select, [role=combobox]',
  row: 'tr, [role=row]',
}
const plain = (text) => (text ?? '').replace(/[\s\u2066-\u2069]+/g, ' ').trim()
const named = (element) => {
  const by = element.getAttribute('aria-labelledby')
  if (by) return plain(by.split(/\s+/).map((id) => document.getElementById(id)?.textContent).join(' '))
  if (element.ariaLabel) return plain(element.ariaLabel)
  if (element.labels?.length) return plain(element.labels[0].textContent)
  return plain(element.textContent) || plain(element.title) || plain(element.placeholder)
}
const inSight = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible'
const can = (element) => !pressable || !(element.disabled || element.ariaDisabled === 'true')
const found = [...document.querySelectorAll(selectors[role])].filter((element) => inSight(element) && can(element))
return found.find((element) => named(element) === name) ?? found.find((element) => named(element).startsWith(name)) ?? null
