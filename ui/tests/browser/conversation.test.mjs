// Conversations with a model on a real host: from a first answer to a host that ends in the middle. The model follows a script;
// what it wants to call is answered in the terminal, never on the page.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { Keys } from './keys.mjs'
import { barriers, Majordomo, misbehave, picture, ui } from './majordomo.mjs'
import { HOLD, NAME, says, ScriptedModel, wants } from './model.mjs'

let majordomo
let model
beforeEach(async () => (majordomo = await Majordomo.start()))
afterEach(async () => {
    await majordomo.end()
    await model?.end()
    assert.deepEqual(model?.refused ?? [], [], 'a real service would have refused it')
    model = undefined
})

const sees = (page, text) => page.getByText(text).first().waitFor()
const button = (page, name) => page.getByRole('button', { name, exact: true })
const log = (page) => page.getByRole('log')
const box = (page) => page.getByRole('textbox', { name: 'Say something' })
const rows = (page) => page.getByRole('grid', { name: 'Conversations' }).locator('[data-row]')

/** All words of ours in a language. */
const said = (language) =>
    JSON.parse(readFileSync(join(ui, 'src', 'messages', `${language}.json`), 'utf8'))

/** A text with no space in it: lines are broken elsewhere on the page. */
const squeezed = (text) => text.replaceAll(/\s+/g, '')

/** Waits until a text of the conversation that begins so can be seen without scrolling. It may be drawn anew meanwhile. */
const inSight = (page, begins) =>
    page.waitForFunction((begins) => {
        const log = document.querySelector('[role=log]')
        const seen = log.getBoundingClientRect()
        const texts = document.createTreeWalker(log, NodeFilter.SHOW_TEXT)
        while (texts.nextNode()) {
            if (!texts.currentNode.data.trim().startsWith(begins)) continue
            const { top, bottom } = texts.currentNode.parentElement.getBoundingClientRect()
            if (bottom > seen.top && top < seen.bottom) return true
        }
        return false
    }, begins)

/** Sets a model with these replies up, and begins a conversation with it. */
async function begins(replies, options = {}) {
    model = await ScriptedModel.start(...replies)
    const words = ['--service', 'chat', '--model', NAME, '--url', model.address, '--no-key']
    await majordomo.terminal('models', 'add', ...words, '--context', '200000', 'Stub')
    const page = await majordomo.open(options)
    await page.locator('a[href="#/conversations"]').click()
    await page.locator('main header button.primary').click()
    await page.locator('textarea').waitFor()
    return page
}

/** Says something, and waits for words of what comes of it. */
async function asks(page, text, answer) {
    await box(page).fill(text)
    await box(page).press('Enter')
    await sees(page, answer)
}

test('from an empty folder a person comes to a first answer and a first approved call with keys alone', async () => {
    model = await ScriptedModel.start(
        says('Good day. ', 'What shall I look up?'),
        wants('currency__get_exchange_rate', { base: 'USD', target: 'EUR' }),
        says('For one US dollar you get **0.92 euros**.'),
    )
    const page = await majordomo.open()
    const keys = new Keys(page)

    await sees(page, 'Shall we begin?')
    await keys.tabTo('button', 'Review the first server')
    await keys.press('Enter')
    await sees(page, 'Nothing has run yet.')
    await keys.tabTo('button', 'Switch on')
    await keys.press('Enter')
    await page.getByRole('button', { name: /^Run / }).waitFor()

    await keys.goTo('chat', /^Chat/)
    await sees(page, 'No model yet')
    await keys.tabTo('button', 'Set up a model')
    await keys.press('Enter')
    await page.getByRole('heading', { name: 'Models' }).and(page.locator(':focus')).waitFor()
    await button(page, 'Add a model').waitFor()
    await keys.press('Tab')
    await button(page, 'Add a model').and(page.locator(':focus')).waitFor()
    await keys.press('Enter')
    await page.getByRole('dialog').waitFor()
    await keys.backTo('combobox', 'Kind of service')
    await keys.type('OpenAI-c')
    await keys.tabTo('textbox', /^Address of the service/)
    await keys.type(model.address)
    await keys.tabTo('textbox', 'Key')
    await keys.type('sk-a-key')
    await keys.tabTo('combobox', /^Model/)
    await keys.type(NAME)
    assert.deepEqual(await barriers(page), [])
    await keys.tabTo('button', 'Save and test')
    await keys.press('Enter')
    await sees(page, 'Address and key are right, and the model is there')

    await keys.goTo('chat', /^Chat/)
    await keys.tabTo('button', 'New conversation')
    await keys.press('Enter')
    await box(page).and(page.locator(':focus')).waitFor()
    await keys.type('Hello!')
    await keys.press('Enter')
    await sees(page, 'What shall I look up?')
    await keys.type('How many euros is a dollar?')
    await keys.press('Enter')
    await sees(page, 'Waits for you')
    await picture(page, 'conversation-waits')
    assert.deepEqual(await barriers(page), [])
    assert.equal(await page.getByRole('button', { name: /allow/i }).count(), 0)
    await majordomo.answers('allow')
    await sees(page, 'For one US dollar you get')
    await keys.backToSummary('What was sent, and what came of it')
    await keys.press('Enter')
    await sees(page, 'Result of the tool')
    await picture(page, 'conversation-called')
    assert.deepEqual(await barriers(page), [])
    assert.equal(model.requests.at(-1).authorization, 'Bearer sk-a-key')
    assert.ok(!majordomo.heard.join('\n').includes('sk-a-key'), 'the host sent the key back')
})

test('a reply that is stopped ends at once, what has come of it stays, and the conversation goes on', async () => {
    const page = await begins([says('One, two, ', `${HOLD}three.`), says('Four it is.')])
    const keys = new Keys(page)
    await asks(page, 'Count, please.', 'One, two,')
    await picture(page, 'conversation-streams')
    await keys.tabTo('button', 'Stop')
    await keys.press('Enter')
    await sees(page, 'You stopped it')
    await model.left
    await picture(page, 'conversation-stopped')
    await keys.type('And then?')
    await keys.press('Enter')
    await sees(page, 'Four it is.')
    const said = await log(page).textContent()
    assert.ok(said.includes('One, two,') && !said.includes('three'), said)
})

test('a message is sent again in another way, and both lines are read', async () => {
    const page = await begins([
        says('Bread needs flour, water and salt.'),
        says('Cake needs flour, eggs and sugar.'),
        says('Cake needs butter, too.'),
    ])
    const keys = new Keys(page)
    await asks(page, 'What goes into bread?', 'Bread needs flour')
    await keys.backTo('button', 'Edit and send again')
    await keys.press('Enter')
    await keys.press('ControlOrMeta+a')
    await keys.type('What goes into cake?')
    await picture(page, 'conversation-edits')
    await keys.press('Enter')
    await sees(page, 'Cake needs flour')
    await picture(page, 'conversation-branch')
    assert.ok(!(await log(page).textContent()).includes('Bread'))
    await keys.backTo('link', 'What goes into bread?')
    await keys.press('Enter')
    await sees(page, 'Bread needs flour')
    assert.ok(!(await log(page).textContent()).includes('Cake'))
    await keys.backTo('row', /^What goes into/)
    await keys.arrowTo(rows(page).filter({ hasText: 'cake' }), 'ArrowUp')
    await keys.press('Enter')
    await sees(page, 'Cake needs flour')
    await keys.tabTo('button', 'Answer again')
    await keys.press('Enter')
    await sees(page, 'Cake needs butter')
    await picture(page, 'conversation-answered-again')
    assert.equal(await rows(page).count(), 3)
    await rows(page).filter({ hasText: 'What goes into cake? (2)' }).waitFor()
    await keys.backTo('link', 'What goes into cake?')
    await keys.press('Enter')
    await sees(page, 'Cake needs flour')
})

/** Adds a server that writes down each order that reaches it. Gives what it has written. */
async function ordersAreTaken() {
    const file = join(majordomo.dir, 'orders')
    const command = ['--no-sandbox', '--', misbehave, 'counts', file]
    await majordomo.terminal('servers', 'add', 'orders', ...command)
    await majordomo.terminal('servers', 'review', 'orders', '--accept')
    await majordomo.terminal('servers', 'enable', 'orders')
    await majordomo.terminal('offers', 'approve', 'orders', '--all')
    return () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split(/\r?\n/) : [])
}

/** The host is started again, and the conversation opened that there was. */
async function comesBack(page, title) {
    await majordomo.restart()
    await page.goto(majordomo.address)
    await page.getByRole('link', { name: 'Chat' }).click()
    await rows(page).filter({ hasText: title }).click()
}

test('a host that is killed while a question waits asks it again, and its yes is one call', async () => {
    const orders = await ordersAreTaken()
    const page = await begins([
        wants('orders__place', { order: 'tea' }),
        says('It is on its way.'),
        says('With milk.'),
    ])
    await asks(page, 'Order tea, please.', 'Waits for you')
    // The list tells of questions, and those are on the disk before they are told.
    await rows(page).filter({ hasText: 'Waits for you' }).waitFor()
    await majordomo.kill()
    await sees(page, 'Majordomo does not answer.')
    await picture(page, 'conversation-killed')
    await comesBack(page, 'Order tea')
    await sees(page, 'Waits for you')
    await picture(page, 'conversation-waits-again')
    assert.deepEqual(orders(), [], 'nobody has said yes')
    await majordomo.answers('allow')
    await sees(page, 'It is on its way.')
    await asks(page, 'And milk, please.', 'With milk.')
    await picture(page, 'conversation-went-on')
    assert.deepEqual(orders(), ['place tea'])
    const said = await log(page).textContent()
    for (const once of ['Order tea, please.', 'It is on its way.', 'And milk, please.'])
        assert.equal(said.split(once).length, 2, `${once} in ${said}`)
    assert.equal(model.requests.length, 3)
})

test('a host that is killed while a model answers keeps what has come, and goes on when the person says so', async () => {
    const page = await begins([says('One, two, ', `${HOLD}three.`), says('Three and four.')])
    const keys = new Keys(page)
    await asks(page, 'Count, please.', 'One, two,')
    await majordomo.kill()
    await comesBack(page, 'Count, please.')
    await sees(page, 'Broken off: Majordomo ended')
    await sees(page, 'One, two,')
    await picture(page, 'conversation-broken-off')
    assert.equal(model.requests.length, 1, 'nothing is spent without the person')
    await keys.tabTo('button', 'Let it go on')
    await keys.press('Enter')
    await sees(page, 'Three and four.')
    await picture(page, 'conversation-let-go-on')
})

/** The field that has the focus holds this and nothing else. */
const holds = (page, text) =>
    page.waitForFunction((text) => document.activeElement.value === text, text)

/** Writes as an input method does: what is composed stands in the field, and is not the person's word yet. */
async function composes(page, composed, text) {
    const method = await page.context().newCDPSession(page)
    const at = { selectionStart: composed.length, selectionEnd: composed.length }
    await method.send('Input.imeSetComposition', { text: composed, ...at })
    for (const type of ['rawKeyDown', 'keyUp'])
        await method.send('Input.dispatchKeyEvent', {
            type,
            key: 'Enter',
            code: 'Enter',
            windowsVirtualKeyCode: 229,
        })
    await holds(page, composed)
    await method.send('Input.insertText', { text })
    await holds(page, text)
    await method.detach()
}

test('Chinese is composed, sent when it is written, and found again', async () => {
    const words = said('zh-CN')
    const page = await begins([says('面粉、水和盐。'), says('面粉、鸡蛋和糖。')], {
        locale: 'zh-CN',
    })
    const writes = page.getByRole('textbox', { name: words['conversations.say'] })
    await writes.focus()
    await composes(page, "mian'bao", '面包里有什么？')
    await writes.press('Enter')
    await sees(page, '面粉、水和盐。')
    await page.getByRole('button', { name: words['conversations.new'], exact: true }).click()
    await log(page).getByText('面包').waitFor({ state: 'detached' })
    await writes.focus()
    await composes(page, "dan'gao", '蛋糕里有什么？')
    await writes.press('Enter')
    await sees(page, '面粉、鸡蛋和糖。')
    await picture(page, 'conversation-zh')
    const asked = model.requests.map(({ body }) => body.messages.at(-1).content)
    assert.match(JSON.stringify(asked[0]), /面包里有什么？/)
    assert.equal(asked.length, 2, 'what was composed was not sent')

    const searched = page.getByRole('searchbox', { name: words['conversations.search'] })
    const listed = page
        .getByRole('grid', { name: words['conversations.all'] })
        .locator('[data-row]')
    for (const [text, found] of [
        ['面包', '面包里有什么？'],
        ['鸡蛋', '蛋糕里有什么？'],
    ]) {
        await searched.fill('')
        await listed.nth(1).waitFor()
        await searched.focus()
        await composes(page, 'pin', text)
        await listed.nth(1).waitFor({ state: 'detached' })
        await listed.filter({ hasText: found }).waitFor()
    }
    await picture(page, 'conversation-zh-found')
    await searched.fill('月亮')
    await sees(page, words['conversations.none_found'])
})

const WORDS = 'the quick brown fox jumps over the lazy dog, '.repeat(25)

/** 100,000 characters in paragraphs, each of which says its number. */
const long = (what) =>
    Array.from({ length: 100 }, (_, nth) => `${what} ${nth + 1}: ${WORDS}`.slice(0, 1_000))

test('a pasted text and a reply of 100,000 characters are there whole, and the page stays usable', async () => {
    const [pasted, answered] = [long('Page'), long('Part')]
    const page = await begins([
        { ...says(...answered.map((part) => `${part}\n\n`), 'That was all.'), usage: null },
        { ...says('Yes, whole.'), usage: null },
    ])
    const keys = new Keys(page)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate((text) => navigator.clipboard.writeText(text), pasted.join('\n\n'))
    await box(page).focus()
    await keys.press('ControlOrMeta+v')
    await sees(page, 'Pasted text')
    await keys.type('Read this, please.')
    await picture(page, 'conversation-pasted')
    await keys.press('Enter')
    await sees(page, 'That was all.')
    await inSight(page, 'Answer again')
    await picture(page, 'conversation-long')
    const shown = squeezed(await log(page).textContent())
    for (const part of answered) assert.ok(shown.includes(squeezed(part)), part)
    const sent = JSON.stringify(model.requests[0].body)
    for (const part of pasted) assert.ok(sent.includes(part), part)

    await keys.backTo('log', 'What was said')
    await keys.press('Home')
    await inSight(page, 'Part 1:')
    await picture(page, 'conversation-long-begins')
    await keys.tabToSummary('Pasted text')
    await keys.press('Enter')
    await sees(page, /Page 100:/)
    await picture(page, 'conversation-long-pasted')
    const unfolded = squeezed(await log(page).textContent())
    for (const part of pasted) assert.ok(unfolded.includes(squeezed(part)), part)
    await keys.tabTo('textbox', 'Say something')
    await keys.type('Was that all?')
    await keys.press('Enter')
    await sees(page, 'Yes, whole.')
    await inSight(page, 'Yes, whole.')
    assert.deepEqual(await barriers(page), [])
})
