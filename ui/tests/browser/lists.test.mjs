// Long lists draw what is in sight, however long they are and wherever they are scrolled to. How long that takes is told, and
// fails nothing: it is the computer's.
//
// The hundred thousand records are those of the pretended host: to make as many in a real log takes minutes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Gallery } from './gallery.mjs'

let gallery
before(async () => {
    gallery = await Gallery.start()
})
after(() => gallery.end())

/**
 * Of each list: where it is, what makes it long, what one of its entries is, which the page before has none of, and how many
 * elements the page may have.
 */
const LISTS = [
    ['1,000 offers', 'servers/notebook/review', 'offered=1000', 'main article', 1_500],
    ['1,000 tools', 'servers/notebook/tools', 'tools=1000', 'main li a', 1_500],
    ['100,000 records', 'activity', 'happened=100000', 'main [data-row] time', 1_500],
]
const STEPS = 100
const STEP = 240

/** Goes to a place from within the window; answers how many milliseconds later an entry was drawn. */
const opened = (page, place, entry) =>
    page.evaluate(
        ([place, entry]) =>
            new Promise((done) => {
                const begun = performance.now()
                const drawn = new MessageChannel()
                drawn.port1.onmessage = () => done(performance.now() - begun)
                location.hash = `#/${place}`
                requestAnimationFrame(function look() {
                    // What is posted in a frame arrives once that is drawn.
                    if (document.querySelector(entry)) drawn.port2.postMessage(null)
                    else requestAnimationFrame(look)
                })
            }),
        [place, entry],
    )

/**
 * Scrolls what scrolls the farthest, a step in each frame. Answers how far it came, the most elements that the page had, in how
 * many frames no entry was in sight, and the longest time between two frames.
 */
const scrolled = (page, entry) =>
    page.evaluate(
        ([entry, steps, step]) =>
            new Promise((done) => {
                const far = (element) => element.scrollHeight - element.clientHeight
                const list = [...document.querySelectorAll('main, main *')]
                    .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY))
                    .reduce((one, other) => (far(other) > far(one) ? other : one))
                const { top, bottom } = list.getBoundingClientRect()
                const inSight = (element) => {
                    const box = element.getBoundingClientRect()
                    return box.bottom > top && box.top < bottom
                }
                const frames = []
                let [nodes, empty] = [0, 0]
                requestAnimationFrame(function frame(at) {
                    frames.push(at)
                    nodes = Math.max(nodes, document.querySelectorAll('*').length)
                    if (![...document.querySelectorAll(entry)].some(inSight)) empty += 1
                    list.scrollTop += step
                    if (frames.length <= steps) return requestAnimationFrame(frame)
                    const gaps = frames.slice(1).map((time, nth) => time - frames[nth])
                    done({ far: list.scrollTop, nodes, empty, longest: Math.max(...gaps) })
                })
            }),
        [entry, STEPS, STEP],
    )

for (const [name, place, query, entry, most] of LISTS) {
    test(`of ${name} those in sight are drawn, and at every step some are`, async (t) => {
        const page = await gallery.open('servers', { query })
        await page.getByRole('row').nth(1).waitFor()
        assert.equal(await page.locator(entry).count(), 0, 'nothing of it was there before')
        const first = await opened(page, place, entry)
        const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
        assert.ok(nodes < most, `${nodes} elements at first`)

        const seen = await scrolled(page, entry)
        assert.ok(seen.far > STEP * 20, `it came ${seen.far} pixels far`)
        assert.ok(seen.nodes < most, `${seen.nodes} elements on the way`)
        assert.equal(seen.empty, 0, `in ${seen.empty} frames nothing was in sight`)
        t.diagnostic(
            `first paint ${first.toFixed(0)} ms, longest frame ${seen.longest.toFixed(0)} ms, elements ${nodes} to ${seen.nodes}`,
        )
        await page.context().close()
    })
}
