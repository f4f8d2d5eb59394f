/** Promises about how the window looks. */
import { cleanup, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import Appearance from '../../src/parts/settings/Appearance.svelte'
import { chosenTextSize, showTextSize } from '../../src/textSize'
import { render } from '../support'

afterEach(() => {
  cleanup()
  localStorage.clear()
  showTextSize('normal')
})

it('text is as large as was chosen, at once and the next time', async () => {
  render(Appearance)
  const user = userEvent.setup()
  const choose = async (size: string): Promise<void> =>
    user.selectOptions(screen.getByLabelText('Text size'), size)
  await choose('Larger')
  expect(document.documentElement.style.fontSize).toBe('130%')
  expect(chosenTextSize()).toBe('larger')
  await choose('Normal')
  expect(document.documentElement.style.fontSize).toBe('')
  expect(chosenTextSize()).toBe('normal')
})

it('a size that nobody can have chosen is the usual one', () => {
  localStorage.setItem('majordomo.text-size', '9000px')
  expect(chosenTextSize()).toBe('normal')
})
