// A question is understood in five seconds: who asks, what happens, what the danger is and the answers are in sight at once, in
// the window as it opens, in both languages. Nothing is scrolled.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Gallery } from './gallery.mjs'
import { picture, still, ui } from './majordomo.mjs'

/** As the window opens. */
const WINDOW = { width: 540, height: 680 }

let gallery
before(async () => (gallery = await Gallery.start()))
after(async () => {
    await gallery.end()
    assert.deepEqual(gallery.wrong, [])
})

/**
 * Each kind of question: what it is about, with a text of a stranger as it is (`{ text }`) or the name of one of ours. `who` and
 * `what` stand in the sentence; `seen` is what would happen to what, and the danger, or why a person is asked where there is none.
 */
const KINDS = [
    [
        'reads',
        15,
        ['list_directory', 'files'],
        [{ text: '/home/ada/Documents/letters' }, 'reason.not_allowed_yet'],
    ],
    [
        'writes',
        21,
        ['write_note', 'notebook'],
        [
            { text: '/home/ada/Documents/today.md' },
            { text: 'Call the bank.' },
            'reason.not_allowed_yet',
        ],
    ],
    [
        'destroys',
        20,
        ['delete_folder', 'files'],
        [{ text: '/home/ada/Documents/letters' }, 'worst.destroys'],
    ],
    [
        'changed',
        1,
        ['list_directory', 'files'],
        ['worst.outside', 'reason.tool_changed', { text: '/home/ada' }],
    ],
    [
        'suspicious',
        0,
        ['write_file', 'files'],
        ['finding.severity.high', { text: '/home/ada/Documents/today.md' }],
    ],
    [
        'untrusted',
        5,
        ['send_mail', 'mail'],
        ['worst.recipient', 'reason.from_strangers', { text: 'x@y.example' }],
    ],
    [
        'outside',
        10,
        ['list_directory', 'files'],
        ['worst.outside', 'consent.left_over', { text: '/home/ada/.ssh/config' }],
    ],
    [
        'repeated',
        14,
        ['place_shipping_order', 'shipping'],
        ['consent.consequential', { text: 'Rotterdam' }],
    ],
    [
        'form',
        2,
        ['shipping'],
        [{ text: 'You are about to order 8 containers to Rotterdam. Place this order?' }],
    ],
    [
        'secret',
        13,
        ['shipping'],
        ['consent.secret_fields', { text: 'To place the order, sign in.' }],
    ],
    ['address', 3, ['issues-remote'], ['consent.url_look_alike', { text: 'xn--exmple-4nf.com' }]],
    [
        'model',
        6,
        ['files'],
        [{ text: 'Summarise /home/ada/Documents/today.md in three sentences.' }],
    ],
    [
        'no-model',
        4,
        ['files'],
        ['consent.sample_none', { text: 'Summarise /home/ada/Documents/today.md' }],
    ],
    ['reply', 7, ['files'], [{ text: 'The day began with a call to the bank.' }]],
    ['rule', 8, [], [{ text: 'list_directory' }, { text: '/home/ada/Documents' }]],
    ['change', 18, [], [{ text: '/home/ann/notes' }]],
    ['request', 19, ['files'], [{ text: 'file:///home/ann/notes/private.md' }]],
]

/**
 * Whether a text can be read without scrolling: its first place that is wholly within the window and under nothing else. What was
 * found nowhere in sight is told by where it lies.
 */
const inSight = (page, text) =>
    page.evaluate((wanted) => {
        const places = []
        const words = (node) => node.textContent.replace(/\s+/g, ' ')
        const within = (element) =>
            words(element).includes(wanted) &&
            ![...element.children].some((child) => words(child).includes(wanted))
        for (const element of [...document.body.querySelectorAll('*')].filter(within)) {
            const box = element.getBoundingClientRect()
            places.push(Math.round(box.bottom))
            if (box.width === 0 || box.top < 0 || box.bottom > innerHeight) continue
            const edges = [box.top + 2, box.bottom - 2].map((y) =>
                document.elementFromPoint(box.left + Math.min(box.width / 2, 20), y),
            )
            if (edges.every((at) => at !== null && (element.contains(at) || at.contains(element))))
                return true
        }
        return places
    }, text)

async function seesAtOnce(page, name, texts) {
    for (const text of texts) {
        const seen = await inSight(page, text)
        assert.equal(seen, true, `${name}: “${text}” ends at ${seen} of ${WINDOW.height}`)
    }
    const answers = await page.locator('footer button').all()
    assert.ok(answers.length > 0, `${name} has no answers`)
    for (const answer of answers) {
        const box = await answer.evaluate((button) => button.getBoundingClientRect().toJSON())
        assert.ok(
            box.top >= 0 && box.bottom <= WINDOW.height,
            `an answer of ${name} is out of sight`,
        )
        assert.ok(
            box.left >= 0 && box.right <= WINDOW.width,
            `an answer of ${name} is out of sight`,
        )
    }
    const scrolled = await page.evaluate(
        () => [...document.querySelectorAll('*')].filter(({ scrollTop }) => scrollTop > 0).length,
    )
    assert.equal(scrolled, 0, `${name} was scrolled`)
}

for (const [locale, file] of [
    ['en-US', 'en'],
    ['zh-CN', 'zh-CN'],
]) {
    const said = JSON.parse(readFileSync(join(ui, 'src', 'messages', `${file}.json`), 'utf8'))
    const textOf = (one) => (typeof one === 'string' ? said[one] : one.text)

    test(`a question says who asks, what happens and what the danger is at a glance, ${locale}`, async () => {
        for (const [name, number, sentence, seen] of KINDS) {
            const page = await gallery.open('', {
                page: 'question.html',
                query: `question=${number}`,
                locale,
                viewport: WINDOW,
            })
            await still(page)
            await picture(page, `glance-${name}-${locale}`)
            const heading = page.getByRole('heading', { level: 1 })
            const words = await heading.textContent()
            for (const one of sentence) assert.ok(words.includes(one), `${name}: ${words}`)
            const { y, height } = await heading.boundingBox()
            assert.ok(y >= 0 && y + height < WINDOW.height / 3, `the sentence of ${name} is long`)
            await seesAtOnce(page, name, [...sentence, ...seen.map(textOf)])
            await page.context().close()
        }
    })

    test(`the usual ways to remember a yes are all in sight, and the refusal stays so, ${locale}`, async () => {
        for (const number of [15, 20, 21]) {
            const page = await gallery.open('', {
                page: 'question.html',
                query: `question=${number}`,
                locale,
                viewport: WINDOW,
            })
            await page.getByRole('button', { name: said['keep.open'], exact: true }).click()
            await page.getByRole('menuitem').nth(4).waitFor()
            await still(page)
            await picture(page, `glance-remember-${number}-${locale}`)
            const entries = await page.getByRole('menuitem').all()
            assert.ok(entries.length <= 7, `${entries.length} entries`)
            for (const entry of entries) {
                const box = await entry.evaluate((one) => one.getBoundingClientRect().toJSON())
                assert.ok(box.top >= 0 && box.bottom <= WINDOW.height, 'an entry is out of sight')
                assert.ok(box.left >= 0 && box.right <= WINDOW.width, 'an entry is out of sight')
            }
            assert.equal(await inSight(page, said['consent.deny']), true, 'the refusal is covered')
            await page.context().close()
        }
    })

    test(`several questions say the same of the first of them, ${locale}`, async () => {
        const page = await gallery.open('', {
            page: 'question.html',
            query: 'question=15&waiting=all',
            locale,
            viewport: WINDOW,
        })
        await page.getByRole('button', { name: said['consent.see_all'], exact: true }).click()
        await page.getByRole('checkbox').first().check()
        await still(page)
        await picture(page, `glance-several-${locale}`)
        for (const text of ['files', 'list_directory', '/home/ada/Documents/letters']) {
            const seen = await inSight(page, text)
            assert.equal(seen, true, `several: “${text}” ends at ${seen} of ${WINDOW.height}`)
        }
        for (const one of ['batch.deny', 'batch.allow']) {
            // Chinese has no form of its own for one.
            const name = said[`${one}_${locale === 'zh-CN' ? 'other' : 'one'}`]
            const button = page.getByRole('button', { name: name.replace('{n}', '1'), exact: true })
            const box = await button.evaluate((one) => one.getBoundingClientRect().toJSON())
            assert.ok(box.top >= 0 && box.bottom <= WINDOW.height, `${name} is out of sight`)
        }
        await page.context().close()
    })
}
