/** Promises of buttons that cannot be pressed for a while. */
import { cleanup, render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { createRawSnippet } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { Button, IconButton, Switch } from '../../src/kit'

afterEach(cleanup)

const children = createRawSnippet(() => ({ render: () => '<span>Go on</span>' }))

test('a button that becomes busy while it has the focus keeps it, and is not pressed twice', async () => {
  const user = userEvent.setup()
  const onclick = vi.fn()
  const { rerender } = render(Button, { onclick, children })
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Go on' })
  button.focus()
  await rerender({ busy: true })
  expect(button.disabled).toBe(false)
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await user.keyboard('{Enter}')
  await user.keyboard(' ')
  expect(onclick).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(button)
  await rerender({ busy: false })
  expect(button.hasAttribute('aria-disabled')).toBe(false)
  await user.keyboard('{Enter}')
  expect(onclick).toHaveBeenCalledOnce()
})

test('a button that is shut where nobody is cannot be reached', async () => {
  const { rerender } = render(Button, { disabled: true, children })
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Go on' })
  expect(button.disabled).toBe(true)
  await rerender({ disabled: false })
  button.focus()
  await rerender({ disabled: true })
  expect(button.disabled).toBe(false)
  button.blur()
  await Promise.resolve()
  await rerender({ disabled: true })
  expect(button.disabled).toBe(true)
})

test('a form is not sent a second time by the button that sends it', async () => {
  const user = userEvent.setup()
  const onsubmit = vi.fn((event: Event) => event.preventDefault())
  const form = document.body.appendChild(document.createElement('form'))
  form.addEventListener('submit', onsubmit)
  const { rerender } = render(Button, { target: form, props: { type: 'submit', children } })
  await user.click(screen.getByRole('button', { name: 'Go on' }))
  await rerender({ busy: true })
  await user.click(screen.getByRole('button', { name: 'Go on' }))
  expect(onsubmit).toHaveBeenCalledOnce()
})

test('a switch and a drawing that become shut keep the focus, too', async () => {
  const user = userEvent.setup()
  const [onchange, onclick] = [vi.fn(), vi.fn()]
  const turned = render(Switch, { on: false, label: 'Runs', onchange })
  const drawn = render(IconButton, { icon: 'close', label: 'Remove', onclick })
  const runs = screen.getByRole<HTMLButtonElement>('switch', { name: 'Runs' })
  runs.focus()
  await turned.rerender({ busy: true })
  expect(runs.disabled).toBe(false)
  await user.keyboard(' ')
  const remove = screen.getByRole<HTMLButtonElement>('button', { name: 'Remove' })
  remove.focus()
  await drawn.rerender({ disabled: true })
  expect(remove.disabled).toBe(false)
  await user.keyboard('{Enter}')
  expect([onchange.mock.calls, onclick.mock.calls]).toEqual([[], []])
})
