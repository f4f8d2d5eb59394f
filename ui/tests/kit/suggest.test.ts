/** Promises of the text field with proposals, and of the address with its host. */
import { cleanup, render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { Address, SuggestInput } from '../../src/kit'
import { addressPieces } from '../../src/kit/address'
import type { Proposed } from '../../src/kit/proposals.svelte'

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('proposals', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
  })

  function show(propose: (typed: string) => Promise<Proposed>) {
    render(SuggestInput, { value: '', label: 'Language', propose })
    return {
      field: screen.getByRole<HTMLInputElement>('combobox'),
      user: userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) }),
    }
  }
  const all = (...values: string[]) => vi.fn(() => Promise.resolve({ values, more: false }))
  const options = () => screen.queryAllByRole('option').map((option) => option.textContent)

  it('are asked for a moment after the last key, once', async () => {
    const propose = all('python')
    const { user, field } = show(propose)
    await user.type(field, 'py')
    await pass(199)
    expect(propose).not.toHaveBeenCalled()
    await pass(1)
    expect(propose.mock.calls).toEqual([['py']])
    expect(options()).toEqual(['python'])
    expect(field.getAttribute('aria-expanded')).toBe('true')
  })

  it('for an older text are thrown away, however late they come', async () => {
    const waiting: ((found: Proposed) => void)[] = []
    const { user, field } = show(() => new Promise((resolve) => waiting.push(resolve)))
    await user.type(field, 'p')
    await pass(200)
    await user.type(field, 'y')
    await pass(200)
    waiting[1]?.({ values: ['python'], more: false })
    await pass(1)
    waiting[0]?.({ values: ['perl'], more: false })
    await pass(1)
    expect(options()).toEqual(['python'])
  })

  it('are pointed at with arrow keys around the ends, and taken with Enter', async () => {
    const { user, field } = show(all('a1', 'a2', 'a3'))
    await user.type(field, 'a')
    await pass(200)
    await user.keyboard('{ArrowUp}')
    expect(
      document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent,
    ).toBe('a3')
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    expect(field.value).toBe('a2')
    expect(options()).toEqual([])
  })

  it('are put away by Escape and by leaving, also those still on their way', async () => {
    const { user, field } = show(all('a1'))
    await user.type(field, 'a')
    await pass(200)
    await user.keyboard('{Escape}')
    expect(options()).toEqual([])
    expect(field.value).toBe('a')
    await user.type(field, 'b')
    await user.tab()
    await pass(200)
    expect(options()).toEqual([])
  })

  it('that fail propose nothing, and anything may be typed', async () => {
    const { user, field } = show(() => Promise.reject(new Error('no')))
    await user.type(field, 'own words')
    await pass(200)
    expect(field.value).toBe('own words')
    expect(options()).toEqual([])
  })
})

describe('an address', () => {
  test.each([
    ['https://login.example.com/a?b=https://bank.example', 'login.example.com'],
    ['https://bank.example@evil.example/x', 'evil.example'],
    ['https://bank.example:pw@evil.example:8443/x', 'evil.example:8443'],
    ['https://BANK.example/', 'BANK.example'],
    ['http://[::1]:8080/x', '[::1]:8080'],
    ['https://evil.example\\@bank.example/', 'evil.example'],
    ['mailto:a@b.example', ''],
    ['not an address', ''],
    ['https://', ''],
  ])('%s leads to %s', (address, host) => {
    const pieces = addressPieces(address)
    expect(pieces.host).toBe(host)
    expect(pieces.before + pieces.host + pieces.after).toBe(address)
  })

  it('is shown whole, as text, never as a link', () => {
    render(Address, { url: 'https://login.example.com/a\u202e?b', label: 'Where' })
    const region = screen.getByRole('region', { name: 'Where' })
    expect(region.querySelector('a')).toBeNull()
    expect(region.querySelector('strong')?.textContent).toBe('login.example.com')
    expect(screen.getByRole('img', { name: /U\+202E/ })).toBeTruthy()
    cleanup()
  })
})
