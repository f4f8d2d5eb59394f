// The whole way from nothing to a first call and its record, and to what a server offers, with Tab, Enter and arrows only.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Gallery } from './gallery.mjs'

let gallery
before(async () => (gallery = await Gallery.start()))
after(() => gallery.end())

/** Goes on with Tab until the focus is on an element of this role with this name; it has to be seen there. */
async function tabTo(page, role, name) {
    for (let step = 0; step < 80; step += 1) {
        await page.keyboard.press('Tab')
        const there = page
            .getByRole(role, { name, exact: typeof name === 'string' })
            .and(page.locator(':focus'))
        if (await there.count()) {
            const seen = await page.evaluate(() => {
                const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
                return outlineStyle !== 'none' && outlineWidth !== '0px'
            })
            assert.ok(seen, `the focus on “${name}” is not seen`)
            return
        }
    }
    assert.fail(`Tab does not lead to ${role} “${name}”`)
}

/** Goes down from row to row until this one has the focus. The focus moves with the next frame, so each step waits for it. */
async function arrowTo(page, row) {
    for (let step = 0; step < 80; step += 1) {
        if (await row.and(page.locator(':focus')).count()) return
        const before = await page.locator(':focus').getAttribute('data-row')
        await page.keyboard.press('ArrowDown')
        await page.waitForFunction(
            (before) => document.activeElement?.getAttribute('data-row') !== before,
            before,
        )
    }
    assert.fail(`the arrow keys do not lead to ${row}`)
}

const sees = (page, text) => page.getByText(text).first().waitFor()

test('a first call is made and looked up without a pointer', async () => {
    const page = await gallery.open('', { query: 'world=first' })
    await tabTo(page, 'button', 'Review the first server')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await sees(page, 'Nothing has run yet.')
    await tabTo(page, 'button', 'Switch on')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Run / }).waitFor()
    await tabTo(page, 'button', /^Run /)
    await page.keyboard.press('Enter')
    await sees(page, '1 USD = 0.92 EUR')
    await tabTo(page, 'link', 'See it in the log')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Details' }).waitFor()
})

test('servers of other applications are imported, reviewed and switched on without a pointer', async () => {
    const page = await gallery.open('welcome', { query: 'world=first&found' })
    await tabTo(page, 'button', 'Import…')
    await page.keyboard.press('Enter')
    await sees(page, 'filesystem, memory')
    await tabTo(page, 'button', 'Import 9 servers')
    await page.keyboard.press('Enter')
    await sees(page, 'Nothing has run yet.')
    await tabTo(page, 'button', 'What shell runs')
    await page.keyboard.press('Enter')
    await sees(page, 'It asks for more rights than your own.')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Space')
    await tabTo(page, 'button', 'Switch on 7 servers')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page
        .getByRole('row', { name: /^shell/ })
        .getByText('Running')
        .waitFor()
})

test('a tool is gone to, and a page is searched, without a pointer', async () => {
    const page = await gallery.open('servers')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('exchange')
    await page.getByRole('option', { name: /^get_exchange_rate/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Run / }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Servers' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('git')
    await page.getByRole('row', { name: /^git-history/ }).waitFor()
    await page.getByRole('row', { name: /^files/ }).waitFor({ state: 'detached' })
})

test('a resource is found and read without a pointer', async () => {
    const page = await gallery.open('servers')
    await tabTo(page, 'row', /calendar|currency/)
    await arrowTo(page, page.getByRole('row', { name: /^files/ }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'files' }).waitFor()
    await tabTo(page, 'tab', /^Tools/)
    await page.keyboard.press('ArrowRight')
    await sees(page, '32 resources')
    await tabTo(page, 'row', /^Today/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await tabTo(page, 'button', 'Read')
    await page.keyboard.press('Enter')
    await sees(page, 'What stands at file:///home/ada/Documents/today.md.')
})

test('what a new server offers is reviewed without a pointer, and no key approves what is held back by accident', async () => {
    const page = await gallery.open('servers/notebook')
    await tabTo(page, 'button', 'Review what it offers')
    await page.keyboard.press('Enter')
    await sees(page, '10 items to review')
    await tabTo(page, 'button', 'Leave off')
    await page.keyboard.press('Enter')
    await sees(page, '9 items to review')
    // The focus is on the safe answer of the next one: pressing on keeps it off, too.
    await page.waitForFunction(() => document.activeElement?.textContent.trim() === 'Leave off')
    await page.keyboard.press('Enter')
    await sees(page, '8 items to review')
    await tabTo(page, 'button', /^list_notes/)
    await page.keyboard.press('Enter')
    await page
        .locator('[data-offer="tool list_notes"]')
        .getByRole('button', { name: 'Approve' })
        .and(page.locator(':enabled'))
        .waitFor()
    await tabTo(page, 'button', 'Approve')
    await page.keyboard.press('Enter')
    await sees(page, '7 items to review')
})

test('a call is allowed within limits without a pointer, and no early key answers it', async () => {
    const page = await gallery.open('', { page: 'question.html', query: 'question=15&waiting=all' })
    // What the first keys were meant for is not this question.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Allow once' }).and(page.locator(':enabled')).waitFor()
    await sees(page, 'A terminal wants to run')
    await tabTo(page, 'button', 'Remember…')
    await page.keyboard.press('Enter')
    // Its list begins at the narrowest, and Escape only shuts it.
    const at = (words) =>
        page.waitForFunction(
            (start) => document.activeElement?.textContent.trim().startsWith(start),
            words,
        )
    await at('Allow exactly this')
    await page.keyboard.press('Escape')
    await at('Remember…')
    await page.keyboard.press('Enter')
    await at('Allow exactly this')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await sees(page, 'This would be remembered')
    await tabTo(page, 'textbox', 'The folder')
    await page.keyboard.press('Enter')
    await tabTo(page, 'button', 'Back')
    await page
        .getByRole('button', { name: 'Allow and remember' })
        .and(page.locator(':enabled'))
        .waitFor()
    await tabTo(page, 'button', 'Allow and remember')
    await page.keyboard.press('Enter')
    await sees(page, 'Answered')
})

test('several questions are answered without a pointer', async () => {
    const page = await gallery.open('', { page: 'question.html', query: 'question=15&waiting=all' })
    await tabTo(page, 'button', 'See all')
    await page.keyboard.press('Enter')
    await page.waitForFunction(
        () => document.activeElement?.textContent.trim() === 'Back to the question',
    )
    await tabTo(page, 'checkbox', 'Select')
    await page.keyboard.press('Space')
    await page
        .getByRole('button', { name: 'Allow 1', exact: true })
        .and(page.locator(':enabled'))
        .waitFor()
    await tabTo(page, 'button', 'Allow 1')
    await page.keyboard.press('Enter')
    await sees(page, /Answered|This question is closed/)
})

test('a prompt is filled in with proposals without a pointer', async () => {
    const page = await gallery.open('servers/files/prompts/review_code')
    await tabTo(page, 'combobox', /Language/)
    await page.keyboard.type('py')
    await page.getByRole('option', { name: 'python' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await sees(page, 'language: python')
})

for (const [at, row, back] of [
    ['activity', '[data-row]', 'Close'],
    ['tools', 'main nav li a', 'Back'],
    ['conversations', '[data-row]', 'Back'],
])
    test(`in a narrow window the focus goes along with what is opened, and back: ${at}`, async () => {
        const page = await gallery.open(at, { viewport: { width: 720, height: 800 } })
        await page.locator(row).nth(1).focus()
        await page.keyboard.press('Enter')
        const away = page.locator('[data-opened]').getByRole('button', { name: back })
        await away.and(page.locator(':focus')).waitFor()
        await page.keyboard.press('Enter')
        await page.locator(row).nth(1).and(page.locator(':focus')).waitFor()
    })
