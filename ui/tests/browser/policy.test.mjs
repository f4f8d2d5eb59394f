// Rules, workspaces, what happened, the log and what is sent keep nobody out; long lists stay short in the document; all of it without a pointer.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Gallery } from './gallery.mjs'
import { barriers, picture } from './majordomo.mjs'

let gallery
before(async () => (gallery = await Gallery.start()))
after(async () => {
    await gallery.end()
    assert.deepEqual(gallery.wrong, [])
})

const button = (page, name) => page.getByRole('button', { name, exact: true })
const opens = async (page, name) => {
    await page.getByRole('button', { name }).first().click()
    await page.getByRole('dialog').waitFor()
}

/** A rule that lets more happen, as far as the form goes. */
const allows = async (page) => {
    await opens(page, 'Make a rule')
    await page.getByLabel('Without a question').check()
    await page.getByLabel('Server', { exact: true }).selectOption('files')
    await page.getByLabel('a path lies in a certain folder').check()
    await page.getByLabel('Folder, as a full path').fill('/home/ada/Documents/notes')
    await page.getByText('context.paths_under').waitFor()
}

const anchor = async (page) => {
    await button(page, 'Verify the log').click()
    await button(page, 'Make an anchor').click()
    await page.getByLabel('The anchor’s line').fill('majordomo-anchor:1:400:1:rolled-back')
    await button(page, 'Compare').click()
    await page.getByRole('img', { name: 'The anchor as a QR code' }).waitFor()
    await page.getByText('The log is older than this anchor').scrollIntoViewIfNeeded()
}

const VIEWS = [
    ['rules', 'policy'],
    [
        'rules-open',
        'policy',
        (page) =>
            page.evaluate(() =>
                document.querySelectorAll('details').forEach((details) => (details.open = true)),
            ),
    ],
    ['rules-broken', 'policy', null, 'rules=broken'],
    ['rules-none', 'policy', null, 'rules=none'],
    ['rule-linked', 'policy/rules/rule-0000000000000004'],
    ['rule-form', 'policy', (page) => opens(page, 'Make a rule')],
    ['rule-form-allow', 'policy', allows],
    [
        'rule-asks',
        'policy',
        async (page) => {
            await allows(page)
            await button(page, 'Ask to make').click()
            await page.getByText('A question is waiting: should this rule be made?').waitFor()
        },
        'person=no',
    ],
    [
        'rule-made',
        'policy',
        async (page) => {
            await allows(page)
            await button(page, 'Ask to make').click()
            await page.getByText('The rule was made').waitFor()
        },
    ],
    ['rule-remove', 'policy', (page) => opens(page, /^Remove: Never run/)],
    ['suppose', 'policy/try'],
    [
        'suppose-allowed',
        'policy/try/currency/get_exchange_rate',
        (page) => page.getByText('Would run without asking').waitFor(),
    ],
    [
        'suppose-asked',
        'policy/try/currency/get_exchange_rate',
        async (page) => {
            await page.getByLabel('Suppose that a value came from untrusted content').check()
            await page.getByText('You would be asked').waitFor()
        },
    ],
    [
        'suppose-refused',
        'policy/try/files/write_file',
        async (page) => {
            await page.getByLabel('Suppose that a value came from untrusted content').check()
            await page.getByLabel(/^path/).fill('/home/ada/Documents/contracts/a.md')
            await page.getByText('Would not be allowed').waitFor()
        },
    ],
    ['workspaces', 'workspaces'],
    ['workspace-add', 'workspaces', (page) => opens(page, 'Add a workspace')],
    ['workspace-remove', 'workspaces', (page) => opens(page, 'Remove Harbour authority')],
    ['activity', 'activity'],
    ['activity-all', `activity?arguments=${encodeURIComponent('{"segment":"all"}')}`],
    [
        'activity-charts',
        'activity',
        async (page) => {
            await button(page, 'Charts').click()
            await button(page, /^files: /)
                .first()
                .click()
            await page.getByRole('toolbar').waitFor()
        },
    ],
    [
        'activity-tables',
        'activity',
        async (page) => {
            await button(page, 'Charts').click()
            await page.getByText('Tables', { exact: true }).click()
            await page.getByRole('table', { name: 'Calls by server' }).waitFor()
        },
    ],
    ['activity-saved', 'activity', (page) => opens(page, 'Saved filters')],
    ['activity-many', 'activity/978', (page) => page.getByText('1,000 approved').waitFor()],
    ['activity-call', 'activity/1000', (page) => button(page, 'Take this approval back').waitFor()],
    [
        'activity-unknown',
        'activity/988',
        (page) => button(page, 'I have seen it').waitFor(),
        'unknown',
    ],
    ['unknown', 'tools', (page) => opens(page, 'Check it'), 'unknown'],
    ['settings', 'settings'],
    ['anchor', 'settings', anchor],
    [
        'compact',
        'settings',
        async (page) => {
            await page.getByLabel('Older than').fill('2026-11-20')
            await opens(page, 'Move out…')
        },
    ],
    [
        'telemetry',
        'settings',
        (page) => page.getByText('The last attempt did not arrive').scrollIntoViewIfNeeded(),
        'telemetry=fails',
    ],
    [
        'sampling',
        'servers/files/details',
        (page) => page.getByRole('heading', { name: 'Use of a model' }).scrollIntoViewIfNeeded(),
    ],
    [
        'sampling-on',
        'servers/files/details',
        async (page) => {
            await page.getByRole('switch', { name: 'May not ask' }).click()
            await page.getByRole('switch', { name: 'May ask' }).scrollIntoViewIfNeeded()
        },
        'model=llama3.3:70b',
    ],
]

for (const colorScheme of ['light', 'dark']) {
    for (const width of [1280, 480]) {
        test(`rules, workspaces and what happened keep nobody out, ${colorScheme} and ${width} wide`, async () => {
            for (const [name, at, act, query = ''] of VIEWS) {
                const page = await gallery.open(at, {
                    colorScheme,
                    query,
                    viewport: { width, height: 800 },
                })
                await act?.(page)
                await picture(page, `${name}-${colorScheme}-${width}`)
                assert.deepEqual(await barriers(page), [], name)
                const wider = await page.evaluate(() =>
                    Math.max(
                        ...[document.documentElement, document.querySelector('main')].map(
                            (box) => box.scrollWidth - box.clientWidth,
                        ),
                    ),
                )
                assert.ok(wider <= 0, `${name} is ${wider} pixels wider than the window`)
                await page.context().close()
            }
        })
    }
}

test('of thousands of rules and rows a few are drawn at a time, and older rows come as one goes to the end', async () => {
    const rules = await gallery.open('policy', { query: 'rules=3000' })
    await rules.getByText('60 of 3,000 are shown').waitFor()
    assert.ok((await rules.locator('article').count()) < 70)
    await rules.getByLabel('Find a rule').fill('tool_2999')
    await rules.locator('article', { hasText: 'tool_2999' }).waitFor()
    const page = await gallery.open('activity', { query: 'happened=10000' })
    await page.getByText('200 rows loaded').waitFor()
    await page.locator('[role=row][tabindex="0"]').focus()
    // Each leap to the end brings the next page.
    for (let rows = 400; rows <= 1_000; rows += 200) {
        await page.keyboard.press('End')
        await page.getByText(`${rows.toLocaleString('en')} rows loaded`).waitFor()
    }
    assert.ok((await page.getByRole('row').count()) < 60)
})

/** Goes on with Tab until the focus is on an element of this role with this name. */
async function tabTo(page, role, name) {
    for (let step = 0; step < 120; step += 1) {
        await page.keyboard.press('Tab')
        const there = page
            .getByRole(role, { name, exact: typeof name === 'string' })
            .and(page.locator(':focus'))
        if (await there.count()) return
    }
    assert.fail(`Tab does not lead to ${role} “${name}”`)
}

test('a rule is made, and another removed, without a pointer', async () => {
    const page = await gallery.open('policy', { query: 'rules=none' })
    await tabTo(page, 'button', 'Make a rule')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'radio', 'Never')
    await page.keyboard.press('ArrowDown')
    await tabTo(page, 'checkbox', 'a value came from untrusted content')
    await page.keyboard.press('Space')
    await page
        .getByText(
            'Ask me each time before running any tool, if a value came from untrusted content.',
        )
        .waitFor()
    await page.locator('button:enabled', { hasText: 'Make the rule' }).waitFor()
    await tabTo(page, 'button', 'Make the rule')
    await page.keyboard.press('Enter')
    await page.getByText('The rule was made').waitFor()
    await tabTo(page, 'button', /^Remove: Ask me each time/)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'button', 'Ask to remove')
    await page.keyboard.press('Enter')
    await page.getByText('The rule was removed').waitFor()
})

test('a call is supposed, and the way goes on to the rule that decided, without a pointer', async () => {
    const page = await gallery.open('policy/try/currency/get_exchange_rate')
    await page.getByText('Would run without asking').waitFor()
    await tabTo(page, 'link', /^Run any tool of/)
    await page.keyboard.press('Enter')
    await page.waitForFunction(
        () =>
            document.activeElement?.getAttribute('aria-label') ===
            'Run any tool of currency for you in Majordomo without asking.',
    )
})

test('a workspace is used, and a lost call put to rest, without a pointer', async () => {
    const page = await gallery.open('servers', { query: 'unknown' })
    await tabTo(page, 'button', 'Harbour authority')
    await page.keyboard.press('Enter')
    await page.locator('button[aria-current="true"]', { hasText: 'Harbour authority' }).waitFor()
    await tabTo(page, 'button', 'Check it')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('The outcome of 1 call is not known.').first().waitFor()
})
