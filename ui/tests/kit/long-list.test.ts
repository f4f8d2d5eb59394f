/** Promises of long lists: what is out of sight is not drawn, keeps its room, and is found again. */
import { cleanup, screen } from '@testing-library/svelte'
import { createRawSnippet, tick } from 'svelte'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import LongList from '../../src/kit/LongList.svelte'
import { heightOf, inPieces, PIECE } from '../../src/kit/longList'
import { render } from '../support'

const ROW = 20
const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `row ${at}`)
let scrolled = 0

/** Lays the pieces out one below the other, as a browser would. */
function laidOut(): void {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const before = [...(this.parentElement?.children ?? [])].indexOf(this)
    const top = before * PIECE * ROW - scrolled
    return new DOMRect(0, top, 100, PIECE * ROW)
  })
}

const show = (items: string[], wanted: string | null = null) =>
  render(LongList<string>, {
    as: 'ul',
    items,
    itemKey: (item: string) => item,
    height: () => ROW,
    gap: 0,
    wanted,
    entry: createRawSnippet<[string, number, number]>((item, place, count) => ({
      render: () =>
        `<li aria-posinset="${place()}" aria-setsize="${count()}"><a href="#x">${item()}</a></li>`,
    })),
  })
const drawn = (): string[] => screen.getAllByRole('link').map((link) => link.textContent)
async function scrollTo(top: number): Promise<void> {
  scrolled = top
  window.dispatchEvent(new Event('scroll'))
  await tick()
}

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  scrolled = 0
})

describe('of a thousand entries', () => {
  it('those in and near sight are drawn, and the others keep their room', async () => {
    laidOut()
    const { container } = show(names(1_000))
    await tick()
    expect(drawn().length).toBeLessThan(200)
    expect(drawn()[0]).toBe('row 0')
    const last = container.querySelector<HTMLElement>('.all')!.lastElementChild as HTMLElement
    expect(last.children).toHaveLength(0)
    expect(last.style.height).toBe(`${(1_000 % PIECE || PIECE) * ROW}px`)
  })

  it('others are drawn where they come into sight, each with its place', async () => {
    laidOut()
    show(names(1_000))
    await scrollTo(15_000)
    expect(drawn()).toContain('row 750')
    expect(drawn()).not.toContain('row 0')
    const row = screen.getByText('row 750').closest('li')
    expect([
      row?.ariaPosInSet ?? row?.getAttribute('aria-posinset'),
      row?.getAttribute('aria-setsize'),
    ]).toEqual(['751', '1000'])
  })

  it('the one that is wanted and the one with the focus stay', async () => {
    laidOut()
    show(names(1_000), 'row 990')
    expect(screen.getByText('row 990')).toBeTruthy()
    screen.getByText('row 0').focus()
    await scrollTo(10_000)
    expect(document.activeElement?.textContent).toBe('row 0')
    expect(drawn()).toContain('row 500')
  })
})

test('pieces are the list, and their heights add up', () => {
  const items = names(2 * PIECE + 1)
  expect(inPieces(items).flatMap((piece) => piece.items)).toEqual(items)
  expect(inPieces(items).map(({ first }) => first)).toEqual([0, PIECE, 2 * PIECE])
  expect(heightOf(['a', 'b', 'c'], () => 10, 4)).toBe(38)
  expect(heightOf([], () => 10, 4)).toBe(0)
})
