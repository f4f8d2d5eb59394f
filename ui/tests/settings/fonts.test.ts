/** Promises about the fonts that are shipped. */
import { cleanup, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import FontLicences from '../../src/parts/settings/FontLicences.svelte'
import { render, until } from '../support'

afterEach(cleanup)

it('the licences of the fonts can be read', async () => {
  render(FontLicences)
  await userEvent.setup().click(screen.getByRole('button', { name: 'Licenses of the fonts' }))
  // Each is loaded by itself.
  await until(() =>
    expect(screen.getAllByText(/SIL OPEN FONT LICENSE/i).length).toBeGreaterThanOrEqual(2),
  )
})
