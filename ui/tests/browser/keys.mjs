// A person without a pointer: only keys are pressed. What has the focus is seen whenever a key goes to it, and the focus is never
// lost to the page as a whole.
import assert from 'node:assert/strict'

/** More places than any page of ours has from one end to the other. */
const MOST_STEPS = 120

export class Keys {
    constructor(page) {
        this.page = page
    }

    /** Presses a key that goes to what has the focus. */
    async press(key) {
        await this.#seen(key)
        await this.page.keyboard.press(key)
        await this.#kept(key)
    }

    /** Types a text into the field that has the focus. */
    async type(text) {
        await this.#seen(text)
        await this.page.keyboard.type(text)
    }

    /** Goes on with Tab, or back, until an element of this role with this name has the focus. */
    tabTo(role, name, key = 'Tab') {
        const wanted = this.page.getByRole(role, { name, exact: typeof name === 'string' })
        return this.#tabUntil(wanted, `${role} “${name}”`, key)
    }

    backTo(role, name) {
        return this.tabTo(role, name, 'Shift+Tab')
    }

    /** Goes on, or back, until what unfolds under these words has the focus: it has no role. */
    tabToSummary(words, key = 'Tab') {
        return this.#tabUntil(this.page.locator('summary', { hasText: words }), `“${words}”`, key)
    }

    backToSummary(words) {
        return this.tabToSummary(words, 'Shift+Tab')
    }

    async #tabUntil(wanted, words, key) {
        const there = wanted.and(this.page.locator(':focus'))
        for (let step = 0; step < MOST_STEPS; step += 1) {
            await this.page.keyboard.press(key)
            await this.#kept(key)
            if (await there.count()) return this.#seen(key)
        }
        assert.fail(`${key} does not lead to ${words}`)
    }

    /** Goes from row to row until this one has the focus. It moves with the next frame, so each step waits for it. */
    async arrowTo(row, key = 'ArrowDown') {
        for (let step = 0; step < MOST_STEPS; step += 1) {
            if (await row.and(this.page.locator(':focus')).count()) return
            const before = await this.page.locator(':focus').getAttribute('data-row')
            await this.press(key)
            await this.page.waitForFunction(
                (before) => document.activeElement?.getAttribute('data-row') !== before,
                before,
            )
        }
        assert.fail(`the arrow keys do not lead to ${row}`)
    }

    /** Goes to a place by its name, as Ctrl K does everywhere. */
    async goTo(words, option) {
        await this.page.keyboard.press('ControlOrMeta+k')
        await this.page.getByRole('combobox').and(this.page.locator(':focus')).waitFor()
        await this.type(words)
        await this.page.getByRole('option', { name: option }).first().waitFor()
        await this.press('Enter')
        await this.page.getByRole('dialog').waitFor({ state: 'detached' })
    }

    /** Something has the focus, or comes to have it. */
    async #kept(key) {
        await this.page
            .waitForFunction(
                () => document.activeElement !== null && document.activeElement !== document.body,
            )
            .catch(() => assert.fail(`after “${key}” nothing has the focus`))
    }

    /** What has the focus is in sight, with a ring around it or around what stands for it. */
    async #seen(key) {
        await this.#kept(key)
        const unseen = await this.page.evaluate(() => {
            const focused = document.activeElement
            const words = focused.outerHTML.slice(0, 160)
            if (!focused.matches(':focus-visible')) return `no ring: ${words}`
            const ring = [focused, focused.closest('label'), focused.parentElement].some((one) => {
                const { outlineStyle, outlineWidth } = getComputedStyle(one ?? focused)
                return outlineStyle !== 'none' && outlineWidth !== '0px'
            })
            if (!ring) return `no ring is drawn: ${words}`
            const { width, height, top, bottom, left, right } = focused.getBoundingClientRect()
            const outside = bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth
            return width === 0 || height === 0 || outside ? `out of sight: ${words}` : null
        })
        assert.equal(unseen, null, `“${key}” goes to what is not seen`)
    }
}
