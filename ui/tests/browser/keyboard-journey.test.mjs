// One whole way without a pointer, against a real host: from a newcomer's window over servers of another application, a question, a
// remembered answer and a rule to the record of what happened.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Keys } from './keys.mjs'
import { Majordomo, misbehave } from './majordomo.mjs'

const sees = (page, text) => page.getByText(text).first().waitFor()

/** Another application has two servers. */
function configure(support) {
    const folder = join(support, 'Claude')
    mkdirSync(folder, { recursive: true })
    const mcpServers = {
        desk: { command: misbehave, args: ['ok'] },
        pictures: { command: misbehave, args: ['all-content'] },
    }
    writeFileSync(join(folder, 'claude_desktop_config.json'), JSON.stringify({ mcpServers }))
}

let majordomo
before(async () => (majordomo = await Majordomo.start({ prepare: configure })))
after(() => majordomo.end())

test('servers are imported, a call is allowed and remembered, a rule is made and all of it looked up, without a pointer', async () => {
    const page = await majordomo.open()
    const keys = new Keys(page)

    await sees(page, 'Shall we begin?')
    await sees(page, '2 servers in Claude Desktop')
    await keys.tabTo('button', 'Import…')
    await keys.press('Enter')
    await page.getByRole('dialog').waitFor()
    // What was opened by accident is left, and the focus is where it was.
    await keys.press('Escape')
    await page.getByRole('button', { name: 'Import…' }).and(page.locator(':focus')).waitFor()
    await keys.press('Enter')
    await sees(page, 'desk and pictures')
    await keys.tabTo('button', 'Import 2 servers')
    await keys.press('Enter')
    await sees(page, 'Nothing has run yet.')
    await keys.tabTo('button', 'What desk runs')
    await keys.press('Enter')
    await sees(page, 'This runs a program on your computer')
    await keys.tabTo('button', 'Switch on 2 servers')
    await keys.backTo('checkbox', 'Switch on pictures')
    await keys.press('Space')
    await keys.tabTo('button', 'Switch on 1 server')
    await keys.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    const desk = page.getByRole('row', { name: /^desk/ })
    await desk.getByText('Running').waitFor()
    await keys.tabTo('row', /^currency/)
    await keys.arrowTo(desk)
    await keys.press('Enter')
    await page.getByRole('heading', { name: 'desk' }).waitFor()
    await keys.tabTo('button', 'Review what it offers')
    await keys.press('Enter')
    await sees(page, /items to review/)
    await page
        .getByRole('button', { name: /^Approve all/ })
        .and(page.locator(':enabled'))
        .waitFor()
    await keys.tabTo('button', /^Approve all/)
    await keys.press('Enter')
    const sure = page.getByRole('dialog').getByRole('button', { name: /^Approve all/ })
    await sure.or(page.getByText('Nothing to review')).first().waitFor()
    if (await sure.count()) {
        await keys.tabTo('button', /^Approve all/)
        await keys.press('Enter')
    }
    await sees(page, 'Nothing to review')

    await keys.goTo('echo', /^echo/)
    await page.getByRole('button', { name: 'Run echo' }).waitFor()
    await keys.tabTo('textbox', /^text/)
    await keys.type('good morning')
    await keys.tabTo('button', 'Run echo')
    await keys.press('Enter')
    await sees(page, 'A question is waiting.')
    await majordomo.answers('allow --workspace --any')
    await sees(page, 'Ran')
    // What is remembered asks nobody: the button still has the focus, and the next call is there at once.
    await keys.press('Enter')
    await page.getByLabel('Earlier results').waitFor()

    await keys.goTo('approvals', /^Approvals/)
    await sees(page, 'With any arguments.')
    await keys.tabTo('button', 'Take back')

    await keys.goTo('policy', /^Policy/)
    await keys.tabTo('button', 'Make a rule')
    await keys.press('Enter')
    await keys.tabTo('radio', 'Never')
    await keys.press('Space')
    await keys.tabTo('combobox', 'Server')
    await keys.type('desk')
    await page.getByLabel('Tool', { exact: true }).and(page.locator(':enabled')).waitFor()
    await keys.tabTo('combobox', 'Tool')
    await keys.type('env')
    await sees(page, 'Never run env of desk.')
    await page
        .getByRole('button', { name: 'Make the rule' })
        .and(page.locator(':enabled'))
        .waitFor()
    await keys.tabTo('button', 'Make the rule')
    await keys.press('Enter')
    await sees(page, 'The rule was made')

    await keys.goTo('env', /^env/)
    await page.getByRole('button', { name: 'Run env' }).waitFor()
    await keys.tabTo('textbox', /^name/)
    await keys.type('HOME')
    await keys.press('Enter')
    await keys.tabTo('button', 'Run env')
    await keys.press('Enter')
    await sees(page, 'Not allowed')
    await page.locator('a[href^="#/activity/"]', { hasText: 'See it in the log' }).waitFor()
    await keys.tabTo('link', 'See it in the log')
    await keys.press('Enter')
    await page.getByRole('heading', { name: 'Details' }).waitFor()
    await sees(page, 'Never run env of desk.')
    await keys.tabTo('button', 'Close')
    await keys.press('Enter')
    await page.getByRole('heading', { name: 'Details' }).waitFor({ state: 'detached' })

    await page.keyboard.press('/')
    await keys.type('morning')
    const call = page.getByRole('row', { name: /ran echo of desk/ })
    await call.nth(1).waitFor()
    await page.getByRole('row', { name: /env of desk/ }).waitFor({ state: 'detached' })
    await keys.tabTo('row', /ran echo of desk/)
    await keys.arrowTo(call.nth(1))
    await keys.press('Enter')
    await page.getByRole('heading', { name: 'Details' }).waitFor()
    await sees(page, 'good morning')
    await keys.tabTo('button', 'Close')
    await keys.press('Enter')
    await page.getByRole('heading', { name: 'Details' }).waitFor({ state: 'detached' })
    await call.nth(1).and(page.locator(':focus')).waitFor()
})
