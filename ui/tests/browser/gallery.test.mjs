// What a server offers, says and wants, and its review, keep nobody out, in light and dark, narrow and wide; and what is asked by the side.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Gallery } from './gallery.mjs'
import { barriers, picture, still } from './majordomo.mjs'

let gallery
before(async () => (gallery = await Gallery.start()))
after(async () => {
    await gallery.end()
    assert.deepEqual(gallery.wrong, [])
})

const button = (page, name) => page.getByRole('button', { name, exact: true })
const dialog = async (page, name) => {
    await button(page, 'More about the sign-in').click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('dialog').waitFor()
}

/** The form of a kept server with its certificates open, and an unseen key in it. */
const certificates = async (page) => {
    await button(page, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Edit…' }).click()
    await page.locator('summary', { hasText: 'Certificates' }).click()
    await page.getByLabel('Client certificate').selectOption('pasted')
    const key = page.getByLabel('Text of the private key')
    await key.fill('-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n')
    await key.scrollIntoViewIfNeeded()
    assert.equal(await key.evaluate((area) => getComputedStyle(area).webkitTextSecurity), 'disc')
    assert.ok((await key.boundingBox()).height > 40, 'the field is there to paste into')
}

/** A folder is listed, with a table and a tree. */
const listed = async (page) => {
    await page.getByLabel(/^path/).first().fill('/home/ada')
    await button(page, /^Run /).click()
    await page.getByRole('tree').waitFor()
}

/** Everything of a review is open and in sight: only then axe sees all of it. */
const unfolded = async (page) => {
    for (const open of await page.getByRole('button', { name: 'Open all' }).all())
        await open.click()
    await page.evaluate(() =>
        document.querySelectorAll('details').forEach((details) => (details.open = true)),
    )
}

/** Approving all at once where something should be looked at first. */
const approvesAll = async (page) => {
    await page.getByRole('button', { name: /^Approve all/ }).click()
    await page.getByRole('dialog').waitFor()
}

/** A model is tested, and this comes of it. */
const tested = async (page, name, words) => {
    const model = page.getByRole('article', { name, exact: true })
    await model.getByRole('button', { name: 'Test' }).click()
    await model.getByText(words).waitFor()
    await model.scrollIntoViewIfNeeded()
}

/** The first day on a computer where other applications keep servers, and importing all of them. */
const FIRST_DAY = 'world=first&found'
const imports = async (page) => {
    await button(page, 'Import…').click()
    await button(page, 'Import 9 servers').click()
    await page.getByText('Nothing has run yet.').waitFor()
}

/** The entries of a configuration, with the one that stands out open. */
const previews = async (page) => {
    await button(page, 'Add server').click()
    await page.getByRole('tab', { name: 'Import configuration' }).click()
    await button(page, 'Show servers of Cursor').click()
    await page.getByRole('button', { name: /^To check in search/ }).click()
    await page.getByText('API_KEY goes to the keyring').waitFor()
}

const VIEWS = [
    ['welcome-found', 'welcome', null, FIRST_DAY],
    [
        'import-found',
        'welcome',
        async (page) => {
            await button(page, 'Import…').click()
            await page.getByText('filesystem, memory').waitFor()
        },
        FIRST_DAY,
    ],
    ['review-imported', 'welcome', imports, FIRST_DAY],
    [
        'review-imported-open',
        'welcome',
        async (page) => {
            await imports(page)
            await button(page, 'What shell runs').click()
        },
        FIRST_DAY,
    ],
    ['import-open', 'servers', previews, 'found'],
    [
        'go-to',
        'servers',
        async (page) => {
            await page.keyboard.press('Control+k')
            await page.keyboard.type('re')
            await page.getByRole('dialog').getByRole('option').first().waitFor()
        },
    ],
    [
        'keys',
        'servers',
        async (page) => {
            await page.keyboard.press('?')
            await page.getByRole('dialog').waitFor()
        },
    ],
    ['servers', 'servers'],
    [
        'servers-grouped',
        'servers',
        (page) => page.getByLabel('Groups of servers').selectOption('state'),
    ],
    ['review-waits', 'servers/notebook'],
    ['review-new', 'servers/notebook/review'],
    ['review-new-open', 'servers/notebook/review', unfolded],
    ['review-changed', 'servers/web/review'],
    ['review-changed-open', 'servers/web/review', unfolded],
    ['review-all', 'servers/web/review', approvesAll],
    [
        'review-decided',
        'servers/currency/review',
        (page) =>
            button(page, 'get_exchange_rate The exchange rate between two currencies.').click(),
    ],
    ['review-many', 'servers/notebook/review', null, 'offered=40'],
    ['tool-not-approved', 'tools/web/read_page'],
    ['resources', 'servers/files/resources'],
    [
        'resource',
        `servers/files/resources/${encodeURIComponent('file:///home/ada/Documents/today.md')}`,
        (page) => button(page, 'Read').click(),
    ],
    ['prompts', 'servers/files/prompts'],
    [
        'prompt-proposals',
        'servers/files/prompts/review_code',
        async (page) => {
            await page.getByRole('combobox', { name: /Language/ }).pressSequentially('p')
            await page.getByRole('option', { name: 'python' }).waitFor()
            await page.keyboard.press('ArrowDown')
        },
    ],
    ['log', 'servers/files/logs', (page) => page.getByText('looked at file 39').click()],
    ['exchange', 'servers/files/exchange', (page) => page.getByText('tools/call').click()],
    ['details', 'servers/files/details'],
    ['details-of-an-address', 'servers/issues-remote/details'],
    ['certificates', 'servers/issues-remote', certificates],
    ['starts-again', 'servers/calendar'],
    ['sign-in-wanted', 'servers/issues-remote'],
    ['sign-in-waiting', 'servers/issues-remote', (page) => button(page, 'Sign in').click()],
    ['sign-in-failed', 'servers/wiki'],
    ['signed-in', 'servers/mail'],
    ['doctor', 'servers/wiki', (page) => dialog(page, 'Look closer…')],
    ['accounts', 'servers/mail', (page) => dialog(page, 'Accounts…')],
    ['client', 'servers/mail', (page) => dialog(page, 'Client id…')],
    ['clients', 'clients'],
    ['clients-none', 'clients', null, 'world=first'],
    ['clients-many', 'clients', null, 'clients=100'],
    ['application', 'clients/claude-code'],
    [
        'application-tools',
        'clients/claude-code/tools',
        (page) => button(page, 'Show tools of files').click(),
    ],
    ['application-elsewhere', 'clients/zed/tools'],
    [
        'connect',
        'clients',
        async (page) => {
            await button(page, 'Connect Claude Desktop').click()
            await page.getByRole('checkbox', { name: /^filesystem/ }).check()
            await page.locator('del').first().waitFor()
        },
    ],
    [
        'disconnect',
        'clients',
        async (page) => {
            await button(page, 'Undo the connection of Claude Code').click()
            await page.locator('del').first().waitFor()
        },
    ],
    ['application-setup', 'clients/cursor/setup'],
    [
        'application-token',
        'clients/cursor/setup',
        async (page) => {
            await button(page, 'Replace the token…').click()
            await button(page, 'Create token').click()
            await page.getByText('Copy it now: it is not shown again.').waitFor()
        },
    ],
    ['application-approvals', 'clients/claude-code/approvals'],
    ['approvals', 'approvals'],
    ['models', 'settings'],
    ['model-add', 'settings', (page) => button(page, 'Add a model').click()],
    [
        'model-wrong-key',
        'settings',
        (page) => tested(page, 'Claude', 'The key is not accepted'),
        'fails=test_model:model_key_refused',
    ],
    [
        'model-offline',
        'settings',
        (page) => tested(page, 'Here', 'The address cannot be reached'),
        'fails=test_model:unreachable',
    ],
    ['chat', 'conversations'],
    ['chat-conversation', 'conversations/talk-1'],
    ['chat-paused', 'conversations/talk-2'],
    ['chat-offline', 'conversations/talk-5'],
    [
        'chat-taken-in',
        'conversations/talk-2',
        (page) => button(page, 'Has read text from web that tries to steer the model').click(),
    ],
    [
        'chat-reader',
        'conversations/tasks',
        (page) => button(page, 'Kept from the model: text from web that tries to steer it').click(),
    ],
    ['chat-tasks', 'conversations/tasks'],
    ['chat-task-goes-on', 'conversations/tasks-now'],
    ['chat-task', 'conversations/task-done'],
    ['chat-task-reader', 'conversations/task-read'],
    ['assistants', 'assistants'],
    ['assistants-none', 'assistants', null, 'world=first'],
    [
        'assistant',
        'assistants',
        async (page) => {
            await button(page, 'More for Invoice check').click()
            await page.getByRole('menuitem', { name: 'Edit' }).click()
        },
    ],
    ['chat-branch', 'conversations/talk-4'],
    ['chat-edit', 'conversations/talk-4', (page) => button(page, 'Edit and send again').click()],
    [
        'chat-ledger',
        'conversations/talk-4',
        async (page) => {
            await button(page, 'What the model was sent').click()
            await page.getByRole('row', { name: /^Total/ }).waitFor()
        },
    ],
    ['result-tree', 'tools/files/list_directory', listed],
    [
        'result-search',
        'tools/files/list_directory',
        async (page) => {
            await listed(page)
            await page.getByRole('searchbox').last().fill('harb')
            await page.getByText('7 matches').waitFor()
            await page.getByRole('tree').press('End')
        },
    ],
    [
        'result-compared',
        'tools/files/list_directory',
        async (page) => {
            await listed(page)
            await button(page, 'Run again').click()
            await button(page, 'Compare…').click()
            await page.locator('del').first().waitFor()
        },
    ],
    [
        'result-markdown',
        'tools/currency/get_fee_for_payment_method',
        async (page) => {
            await page.getByRole('combobox').first().selectOption('bank transfer')
            await button(page, /^Run /).click()
            await page.locator('.markdown table').waitFor()
        },
    ],
    [
        'arguments-picked',
        'tools/files/list_directory',
        async (page) => {
            await page.getByLabel('Pick a day for changed_since').fill('2026-11-27')
            await button(page, 'Add: filters').click()
            await button(page, 'Add: filters').click()
        },
    ],
    [
        'arguments-saved',
        'tools/files/list_directory',
        (page) => button(page, 'Saved arguments').click(),
    ],
    [
        'answer',
        'tools/files/read_page',
        async (page) => {
            await button(page, /^Run /).click()
            await page.locator('mark').first().waitFor()
        },
    ],
    [
        'answer-uncovered',
        'tools/files/read_page',
        async (page) => {
            await button(page, /^Run /).click()
            await button(page, 'Show what was covered').click()
            await button(page, 'Cover it again').waitFor()
        },
    ],
    [
        'whole-text',
        'tools/files/read_page',
        async (page) => {
            await button(page, /^Run /).click()
            await button(page, 'Show the whole result').click()
            await page.getByText('Piece 1 of 3').waitFor()
        },
    ],
]

const SANDBOX = 'servers/files/details'

/** A review of a command before it is kept. */
const reviewsDraft = async (page) => {
    await button(page, /^(Add server|添加服务器)/).click()
    await page.getByRole('textbox').first().fill('notes')
    await page.getByRole('dialog').locator('footer button').last().click()
    await page.getByRole('dialog').locator('dl').waitFor()
}

/** The states of a sandbox, as the address asks for them, and what a person does there. */
const SANDBOXES = [
    ['confined', SANDBOX],
    ['landlock', SANDBOX, 'sandbox=landlock'],
    ['obstacle', SANDBOX, 'sandbox=obstacle'],
    ['missing', SANDBOX, 'sandbox=missing'],
    ['off', SANDBOX, 'sandbox=off'],
    ['refused', SANDBOX, 'sandbox=refused'],
    ['protected', SANDBOX, 'sandbox=protected'],
    ['many', SANDBOX, 'sandbox=many', unfolded],
    [
        'leave',
        SANDBOX,
        '',
        async (page) => {
            await page.getByRole('switch', { name: /Run in a sandbox|在沙盒中运行/ }).click()
            await page.getByRole('dialog').waitFor()
        },
    ],
    [
        'second-yes',
        SANDBOX,
        '',
        async (page) => {
            await page.getByLabel(/Add a file or folder|添加文件或文件夹/).fill('/home/ada/.ssh')
            await page.getByRole('button', { name: /Add path|添加路径/ }).click()
            await page.getByRole('dialog').waitFor()
        },
    ],
    [
        'bad-host',
        SANDBOX,
        '',
        async (page) => {
            await page
                .getByLabel(/Add a host|添加主机/)
                .first()
                .fill('https://example.net/a')
            await page.getByRole('button', { name: /Add host|添加主机/ }).click()
            await page.getByText(/cannot be listed|无法列出/).waitFor()
        },
    ],
    ['draft', 'servers', '', reviewsDraft],
    ['log', 'activity/984'],
]

/** The states of a question, in the order of the pretended host. */
const QUESTIONS = [
    'call',
    'changed',
    'form',
    'url',
    'no-model',
    'strangers',
    'model',
    'reply',
    'rule',
    'rule-back',
    'left-over',
    'rule-asks',
    'hidden',
    'secrets',
    'repeated',
    'one',
    'another',
    'no-arguments',
    'change',
    'request',
    'destroys',
    'writes',
]

const named = (page, names, language) =>
    page.getByRole('button', { name: names[language], exact: true })
const said = (page) =>
    page.locator('section section').getByRole('heading', { level: 3 }).first().waitFor()

/** What a person does with a question, in both languages. */
const ANSWERS = [
    [
        'remember',
        'question=0',
        async (page, language) => {
            await named(page, ['Remember…', '记住…'], language).click()
            await said(page)
        },
    ],
    [
        'remember-any',
        'question=14',
        async (page, language) => {
            await named(page, ['Remember…', '记住…'], language).click()
            await page.getByRole('menuitem', { name: ['Customize…', '自定义…'][language] }).click()
            await page.getByRole('radio').last().check()
            await said(page)
        },
    ],
    [
        'remember-refused',
        'question=0',
        async (page, language) => {
            await named(page, ['Remember…', '记住…'], language).click()
            await said(page)
            await page.locator('.limit input').first().fill('/home/ada/../x')
            await page
                .getByText(['This cannot be remembered', '这无法记住'][language])
                .scrollIntoViewIfNeeded()
        },
    ],
    [
        'remember-quick',
        'question=21',
        async (page, language) => {
            await named(page, ['Remember…', '记住…'], language).click()
            await page.getByRole('menuitem').nth(4).waitFor()
        },
    ],
    ['edit', 'question=0', (page, language) => named(page, ['Edit', '编辑'], language).click()],
    [
        'edit-request',
        'question=6',
        (page, language) => named(page, ['Edit the request', '编辑请求'], language).click(),
    ],
    [
        'edit-reply',
        'question=7',
        (page, language) => named(page, ['Edit the reply', '编辑回答'], language).click(),
    ],
    [
        'several',
        'question=15&waiting=all',
        async (page, language) => {
            await named(page, ['See all', '查看全部'], language).click()
            for (const box of await page.getByRole('checkbox').all()) await box.check()
        },
    ],
]

/** The answers and the worst that is known stay in sight, however much there is to read. */
async function answersInSight(page, name) {
    const { height } = page.viewportSize()
    const worst = await page.getByRole('alertdialog').getAttribute('aria-describedby')
    if (worst !== null) {
        const box = await page.locator(`[id="${worst}"]`).boundingBox()
        assert.ok(box && box.y + box.height <= height / 2, `the worst of ${name} is out of sight`)
    }
    for (const answer of await page.locator('footer button').all()) {
        const box = await answer.boundingBox()
        assert.ok(
            box && box.y >= 0 && box.y + box.height <= height,
            `an answer of ${name} is out of sight`,
        )
    }
}

const THEMES = ['light', 'dark']

/**
 * Whoever has a page before them is kept out in none of its looks. It is opened and acted on once, in the first width, and then
 * looked at in each width and theme: most of the time goes into opening it.
 */
async function keepsNobodyOut(page, name, widths, check = () => null) {
    const { height } = page.viewportSize()
    await still(page)
    for (const width of widths) {
        await page.setViewportSize({ width, height })
        for (const colorScheme of THEMES) {
            const look = `${name}-${colorScheme}-${width}`
            await page.emulateMedia({ colorScheme })
            await picture(page, look)
            await check(page, look)
            assert.deepEqual(await barriers(page), [], look)
            const wider = await page.evaluate(
                () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            )
            assert.ok(wider <= 0, `${look} is ${wider} pixels wider than the window`)
        }
    }
    await page.context().close()
}

test('every page of a server keeps nobody out, light and dark, narrow and wide', async () => {
    const widths = [480, 1280]
    for (const [name, at, act, query] of VIEWS) {
        const viewport = { width: widths[0], height: 800 }
        const page = await gallery.open(at, { query: query ?? '', viewport })
        await act?.(page)
        await keepsNobodyOut(page, name, widths)
    }
})

for (const locale of ['en-US', 'zh-CN']) {
    test(`a sandbox keeps nobody out in any of its states, light and dark, narrow and wide, ${locale}`, async () => {
        const widths = [480, 1280]
        for (const [name, at, query = '', act] of SANDBOXES) {
            const viewport = { width: widths[0], height: 1000 }
            const page = await gallery.open(at, { query, locale, viewport })
            await page.waitForLoadState('networkidle')

            await act?.(page)
            await keepsNobodyOut(page, `sandbox-${name}-${locale}`, widths)
        }
    })

    test(`a question keeps nobody out in any of its states, light and dark, ${locale}`, async () => {
        const widths = [420, 540]
        for (const [at, name] of QUESTIONS.entries()) {
            const page = await gallery.open('', {
                page: 'question.html',
                query: `question=${at}`,
                locale,
                viewport: { width: widths[0], height: 680 },
            })
            await keepsNobodyOut(page, `question-${name}-${locale}`, widths, answersInSight)
        }
    })

    test(`an answer to be remembered, changed arguments and several answers keep nobody out, light and dark, ${locale}`, async () => {
        for (const [name, query, act] of ANSWERS) {
            const page = await gallery.open('', {
                page: 'question.html',
                query,
                locale,
                viewport: { width: 480, height: 680 },
            })
            await act(page, locale === 'zh-CN' ? 1 : 0)
            await keepsNobodyOut(page, `answer-${name}-${locale}`, [480])
        }
    })

    test(`the glossary keeps nobody out, light and dark, narrow and at twice the size, ${locale}`, async () => {
        // 640 × 400 is what is left of a window of 1280 × 800 at twice the size.
        for (const [width, height] of [
            [400, 800],
            [640, 400],
            [1280, 800],
        ]) {
            const page = await gallery.open('servers', { locale, viewport: { width, height } })
            await page.keyboard.press('?')
            const language = locale === 'zh-CN' ? 1 : 0
            await named(page, ['Glossary', '术语表'], language).click()
            await page.locator('input[type=search]:focus').waitFor()
            await keepsNobodyOut(page, `glossary-${locale}`, [width], async (page, look) => {
                const dialog = page.getByRole('dialog')
                const { y, height: high } = await dialog.boundingBox()
                assert.ok(y >= 0 && y + high <= height, `${look} is higher than the window`)
                const wider = await dialog
                    .getByRole('region')
                    .evaluate((terms) => terms.scrollWidth - terms.clientWidth)
                assert.ok(wider <= 0, `the terms of ${look} are ${wider} pixels too wide`)
            })
        }
    })
}

test('a thousand tools or offers are drawn as far as they are in sight, and what is chosen is', async () => {
    const nodes = (page) => page.evaluate(() => document.querySelectorAll('*').length)
    const offers = await gallery.open('servers/notebook/review', { query: 'offered=1000' })
    await offers.getByRole('article').first().waitFor()
    assert.ok((await nodes(offers)) < 2_000, `${await nodes(offers)} nodes for 1,000 offers`)
    await offers.locator('main').evaluate((main) => (main.scrollTop = main.scrollHeight))
    await offers.getByText('tool_1000', { exact: true }).waitFor()
    assert.ok((await nodes(offers)) < 2_000, `${await nodes(offers)} nodes at the end of them`)
    await offers.context().close()

    const tools = await gallery.open('tools/notebook/many_990', { query: 'tools=1000' })
    const chosen = tools.getByRole('navigation', { name: 'Tools' }).locator('[aria-current]')
    await chosen.waitFor()
    assert.ok((await nodes(tools)) < 1_500, `${await nodes(tools)} nodes for 1,000 tools`)
    await still(tools)
    const { y, height } = await chosen.boundingBox()
    assert.ok(y > 0 && y + height <= 800, 'the chosen tool is out of sight')
    await tools.context().close()
})

/** Pages with everything on them that has a colour. */
const COLOURED = [
    'servers',
    'servers/web/review',
    'tools/files/write_file',
    'conversations/talk-1',
    'conversations/tasks',
    'activity/1000',
    'policy',
    'settings',
]

test('who wants more contrast has it everywhere, light and dark, whoever has chosen that', async () => {
    const AAA = ['color-contrast-enhanced']
    const looks = ['light', 'dark'].flatMap((system) =>
        [undefined, 'light', 'dark'].map((chosen) => ({ system, chosen })),
    )
    const wants = [
        ...COLOURED.map((at) => ({ name: at.replaceAll('/', '-'), at })),
        { name: 'question', at: '', page: 'question.html', query: 'question=5' },
    ]
    const faint = []
    for (const { name, at, ...options } of wants) {
        const page = await gallery.open(at, options)
        await still(page)
        for (const { system, chosen } of looks) {
            await page.emulateMedia({ colorScheme: system, contrast: 'more' })
            await page.evaluate((theme) => {
                if (theme) document.documentElement.dataset.theme = theme
                else delete document.documentElement.dataset.theme
            }, chosen)
            const look = `contrast-${name}-${system}-${chosen ?? 'system'}`
            await picture(page, look)
            faint.push(...(await barriers(page, AAA)).map((found) => `${look}: ${found}`))
        }
        await page.context().close()
    }
    assert.deepEqual(faint, [])
})

test('ten thousand approvals are drawn a few at a time, and searched at once', async () => {
    const page = await gallery.open('approvals', { query: 'granted=10000' })
    await page.getByRole('region', { name: /^currency/ }).waitFor()
    assert.ok((await page.locator('main article').count()) < 160)
    await page.getByLabel('Search tools and values').fill('list_directory_9996')
    await page.waitForFunction(
        () => document.querySelectorAll('.filters ~ .groups article').length === 1,
    )
})

test('ten thousand resources are drawn a few at a time, and the last one is reached at once', async () => {
    const page = await gallery.open('servers/files/resources', { query: 'resources=10000' })
    await page.getByText('10,000 resources').waitFor()
    assert.ok((await page.getByRole('row').count()) < 60)
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('End')
    await page.getByText('note 9999', { exact: true }).waitFor()
    assert.ok((await page.getByRole('row').count()) < 60)
})

for (const locale of ['en-US', 'zh-CN']) {
    test(`how long a server runs and what it uses is read whole in the list, ${locale}`, async () => {
        const page = await gallery.open('servers', { locale })
        const cells = page.locator('[role=gridcell]:has(.lines)')
        await cells.nth(3).waitFor()
        const cut = await cells.evaluateAll((all) =>
            all
                .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
                .map((cell) => cell.textContent),
        )
        assert.deepEqual(cut, [])
    })
}
