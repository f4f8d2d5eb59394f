import { describe, expect, it } from 'vitest'
import { EndInSight } from '../../src/kit/endInSight'

/** What scrolls: 100 pixels of it are seen, and like in a browser it is never scrolled further than to its end. */
class Box {
  clientHeight = 100
  #height = 100
  #top = 0

  get scrollHeight(): number {
    return this.#height
  }

  set scrollHeight(height: number) {
    this.#height = height
    this.scrollTop = this.#top
  }

  get scrollTop(): number {
    return this.#top
  }

  set scrollTop(top: number) {
    this.#top = Math.max(0, Math.min(top, this.#height - this.clientHeight))
  }
}

function grownTo(height: number): [Box, EndInSight] {
  const [box, end] = [new Box(), new EndInSight(20)]
  box.scrollHeight = height
  end.grown(box)
  return [box, end]
}

describe('the end of what grows', () => {
  it('is in sight', () => {
    expect(grownTo(1_000)[0].scrollTop).toBe(900)
  })

  it('stays in sight where more has come before the browser tells that it was scrolled there', () => {
    const [box, end] = grownTo(1_000)
    box.scrollHeight = 5_000
    end.moved(box)
    end.grown(box)
    expect(box.scrollTop).toBe(4_900)
  })

  it('stays in sight where something of it goes and more comes', () => {
    const [box, end] = grownTo(1_000)
    box.scrollHeight = 700
    end.moved(box)
    box.scrollHeight = 2_000
    end.moved(box)
    end.grown(box)
    expect(box.scrollTop).toBe(1_900)
  })

  it('is left when a person scrolls up, also while more comes', () => {
    const [box, end] = grownTo(1_000)
    box.scrollTop = 850
    box.scrollHeight = 1_500
    end.moved(box)
    end.grown(box)
    expect(box.scrollTop).toBe(850)
  })

  it('is left when a person reads on from further up, and found again at the end', () => {
    const [box, end] = grownTo(1_000)
    box.scrollTop = 100
    end.moved(box)
    box.scrollTop = 400
    end.moved(box)
    end.grown(box)
    expect(box.scrollTop).toBe(400)
    box.scrollTop = 890
    end.moved(box)
    box.scrollHeight = 1_200
    end.grown(box)
    expect(box.scrollTop).toBe(1_100)
  })

  it('is left also by a little at a time', () => {
    const [box, end] = grownTo(1_000)
    for (const top of [890, 880, 870]) {
      box.scrollTop = top
      end.moved(box)
    }
    end.grown(box)
    expect(box.scrollTop).toBe(870)
  })
})
