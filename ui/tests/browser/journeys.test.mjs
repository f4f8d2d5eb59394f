// Journeys through the pages against a real host, from a newcomer's first call to a host that goes away.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { Majordomo, misbehave, picture } from './majordomo.mjs'

let majordomo
beforeEach(async () => (majordomo = await Majordomo.start()))
afterEach(() => majordomo.end())

const button = (page, name) => page.getByRole('button', { name })
const link = (page, name) => page.getByRole('link', { name })
const sees = (page, text) => page.getByText(text).first().waitFor()

async function switchOn(name, ...command) {
    await majordomo.terminal('servers', 'add', name, '--', ...command)
    await majordomo.terminal('servers', 'review', name, '--accept')
    await majordomo.terminal('servers', 'enable', name)
    await majordomo.terminal('offers', 'approve', name, '--all')
}

/** Approves on the page all that a new server offers; where something should be looked at first, it is asked about. */
async function approvesAll(page) {
    await page.getByRole('button', { name: /^Approve all/ }).click()
    const sure = page.getByRole('dialog').getByRole('button', { name: /^Approve all/ })
    const done = page.getByText('Nothing to review')
    await sure.or(done).first().waitFor()
    if (await sure.count()) await sure.click()
    await done.waitFor()
}

async function bench(page, tool) {
    await link(page, 'Tools').click()
    await link(page, new RegExp(`^${tool}\\b`)).click()
}

test('a newcomer makes a first call that is answered in the terminal, never on the page', async () => {
    const page = await majordomo.open()
    await button(page, 'Review the first server').click()
    await sees(page, 'Nothing has run yet.')
    await button(page, 'Switch on').click()
    await button(page, /^Run /).click()
    await sees(page, 'A question is waiting.')
    assert.equal(await button(page, /allow/i).count(), 0, 'the page offers no answer')
    await picture(page, 'waiting')
    await majordomo.answers('allow')
    await sees(page, 'Ran')
    await picture(page, 'first-result')
    await link(page, 'Activity').click()
    await sees(page, 'get_exchange_rate')
    await button(page, 'Verify log').click()
    await sees(page, 'The log is intact')
})

test('the page has no way to answer, whatever it sends', async () => {
    await majordomo.terminal('servers', 'enable', 'currency')
    const page = await majordomo.open()
    await sees(page, 'currency')
    const status = await page.evaluate(async () => {
        const token = Object.values(sessionStorage).find((value) => /^[0-9a-f]{64}$/.test(value))
        const ask = (request) =>
            fetch('/rpc', {
                method: 'POST',
                headers: { Authorization: `Bearer ${token}` },
                body: JSON.stringify(request),
            })
        const call = {
            call: null,
            server: 'currency',
            tool: 'get_exchange_rate',
            arguments: { base: 'USD', target: 'EUR' },
        }
        const called = ask({ method: 'call_tool', params: call })
        let waiting = []
        while (waiting.length === 0)
            waiting = await (await ask({ method: 'list_questions' })).json()
        const answer = await ask({
            method: 'answer_question',
            params: { question: waiting[0].id, answer: { kind: 'allow' } },
        })
        const { code } = await answer.json()
        void called
        return code
    })
    assert.equal(status, 'not_an_approver')
})

test('a secret that was typed in is never sent back to the page, and the server has it', async () => {
    const secret = 'pl4nted-in-a-form'
    const page = await majordomo.open()
    await link(page, 'Servers').click()
    await button(page, 'Add server').first().click()
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: /^Name/ }).fill('keeper')
    await form.getByRole('textbox', { name: /^Command/ }).fill(misbehave)
    await button(form, 'Add argument').click()
    await form.getByRole('textbox', { name: 'Argument 1' }).fill('ok')
    await button(form, 'Add variable').click()
    await form.getByRole('textbox', { name: /^Name/ }).last().fill('API_TOKEN')
    const hidden = form.getByRole('switch')
    if ((await hidden.getAttribute('aria-checked')) !== 'true') await hidden.click()
    await page.locator('input[type="password"]').fill(secret)
    await button(page, 'Continue to review').click()
    await sees(page, 'This runs a program on your computer')
    await picture(page, 'review')
    await button(page, 'Add and switch on').click()
    await sees(page, 'Running')
    await sees(page, 'This server is new to you.')
    await picture(page, 'review-offers')
    await approvesAll(page)
    await bench(page, 'env')
    await page.getByLabel(/name/).last().fill('API_TOKEN')
    await button(page, /^Run /).click()
    await majordomo.answers('allow')
    await sees(page, '•••')
    assert.ok(!(await page.content()).includes(secret), 'it stands on the page')
    assert.ok(
        majordomo.heard.length > 3 && !majordomo.heard.join('\n').includes(secret),
        'the host sent it',
    )
})

test('a pasted configuration of five hundred servers is previewed, and its broken entry loses nothing', async () => {
    const servers = Object.fromEntries(
        Array.from({ length: 499 }, (_, index) => [
            `server-${index}`,
            { command: 'node', args: [`${index}.js`] },
        ]),
    )
    const text = `{ // kept by hand\n "mcpServers": ${JSON.stringify({ ...servers, broken: { args: 5 } })}, }`
    const page = await majordomo.open()
    await link(page, 'Servers').click()
    await button(page, 'Add server').first().click()
    await page.getByRole('tab', { name: 'Import configuration' }).click()
    await page.getByLabel('Configuration', { exact: false }).last().fill(text)
    await button(page, 'Preview').click()
    await sees(page, '500 servers found.')
    await picture(page, 'import-500')
    await button(page, /^Import 499 servers/).click()
    await sees(page, 'All are off.')
    const kept = await majordomo.terminal('servers', 'list')
    assert.equal(kept.length, 2 + 499)
    assert.ok(kept.every((server) => !server.on))
})

test('a folder is given by typing its path, and shown when it vanishes', async () => {
    const folder = join(majordomo.dir, 'papers')
    mkdirSync(folder)
    const page = await majordomo.open()
    await link(page, 'Servers').click()
    await page.goto(`${new URL(page.url()).origin}/#/servers/currency`)
    await page.getByRole('tab', { name: 'Folders' }).click()
    await page
        .getByLabel('Or type a full path')
        .or(page.getByLabel('Full path'))
        .first()
        .fill(folder)
    await button(page, 'Add').last().click()
    await sees(page, folder)
    rmSync(folder, { recursive: true })
    await sees(page, 'Not there any more')
    await picture(page, 'vanished')
})

test('every kind of content is shown, and nothing is fetched for it', async () => {
    await switchOn('contents', misbehave, 'all-content')
    const page = await majordomo.open()
    const foreign = []
    page.on('request', (request) => {
        if (
            !request.url().startsWith(new URL(majordomo.address).origin) &&
            !request.url().startsWith('data:')
        )
            foreign.push(request.url())
    })
    await link(page, 'Tools').click()
    await link(page, /\ball$/).click()
    await button(page, /^Run /).click()
    await majordomo.answers('allow')
    await sees(page, 'Ran')
    await page.locator('img[src^="data:image/png"]').first().waitFor()
    await page
        .locator('audio[src^="data:audio/"], audio source[src^="data:audio/"]')
        .first()
        .waitFor({ state: 'attached' })
    await picture(page, 'contents')
    assert.deepEqual(foreign, [])
})

test('a server that ends at once says why and what to do', async () => {
    await majordomo.terminal('servers', 'add', 'ends', '--', misbehave, 'exits')
    await majordomo.terminal('servers', 'review', 'ends', '--accept')
    await majordomo.terminal('servers', 'enable', 'ends').catch(() => null)
    const page = await majordomo.open()
    await link(page, 'Servers').click()
    await page.goto(`${new URL(page.url()).origin}/#/servers/ends`)
    await sees(page, 'fatal: the configuration is missing')
    await sees(page, 'Stopped while starting')
    await picture(page, 'failed')
})

test('what was always allowed is listed, and asks again once it is taken back', async () => {
    await majordomo.terminal('servers', 'enable', 'currency')
    const page = await majordomo.open()
    const given = encodeURIComponent(JSON.stringify({ base: 'USD', target: 'EUR' }))
    await page.goto(
        `${new URL(page.url()).origin}/#/tools/currency/get_exchange_rate?arguments=${given}`,
    )
    await button(page, /^Run /).click()
    await majordomo.answers('allow --workspace --any')
    await sees(page, 'Ran')
    await link(page, 'Approvals').click()
    await sees(page, 'get_exchange_rate')
    await picture(page, 'approvals')
    await button(page, /take back|revoke/i)
        .first()
        .click()
    const sure = page.getByRole('dialog').getByRole('button', { name: /take back|revoke/i })
    if (await sure.count()) await sure.click()
    await assert.doesNotReject(async () => {
        while ((await majordomo.terminal('grants', 'list')).length > 0)
            await new Promise((next) => setTimeout(next, 50))
    })
})

test('language and theme are kept', async () => {
    const page = await majordomo.open()
    await link(page, 'Settings').click()
    await page.getByLabel('Language').selectOption({ label: '简体中文' })
    await sees(page, '设置')
    await page.getByLabel('主题').selectOption({ label: '深色' })
    await page.reload()
    await sees(page, '设置')
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark')
    await picture(page, 'settings-zh-dark')
})

test('a host that goes away is noticed', async () => {
    const page = await majordomo.open()
    await sees(page, 'Shall we begin?')
    majordomo.host.kill('SIGKILL')
    await sees(page, 'Majordomo does not answer.')
    await picture(page, 'gone')
})
