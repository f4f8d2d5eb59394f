// Cases 34 and 36: whatever a server writes, showing it loads nothing, runs nothing and opens nothing.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Gallery } from './gallery.mjs'

let gallery
before(async () => (gallery = await Gallery.start()))
after(async () => {
    await gallery.end()
    assert.deepEqual(gallery.wrong, [])
})

/** A page of the hostile world that keeps whatever gets out of it. */
async function hostile(at, options = {}) {
    const got = []
    const page = await gallery.open('', { query: 'world=hostile', ...options })
    const own = new URL(page.url()).origin
    page.on('request', (request) => {
        const url = new URL(request.url())
        // Bytes that the page has already are no request to anybody.
        if (url.origin !== own && url.protocol !== 'data:' && url.protocol !== 'blob:')
            got.push(`request ${request.url()}`)
    })
    page.on('dialog', (dialog) => {
        got.push(`dialog ${dialog.message()}`)
        void dialog.dismiss()
    })
    page.on('popup', (popup) => got.push(`popup ${popup.url()}`))
    page.on('framenavigated', (frame) => {
        if (!frame.url().startsWith(own)) got.push(`went to ${frame.url()}`)
    })
    await page.exposeFunction('ran', (what) => got.push(`ran ${what}`))
    await page.evaluate((place) => {
        location.hash = `#/${place}`
    }, at)
    return { page, got }
}

/** Nothing in the page could load, run or lead away: a second look, beside that nothing did. */
const armed = (page) =>
    page.evaluate(() => {
        const found = []
        for (const element of document.body.querySelectorAll(
            'iframe, object, embed, script, link, style, video, form[action], base, meta',
        ))
            found.push(element.outerHTML.slice(0, 120))
        for (const element of document.body.querySelectorAll(
            '[src], [href], [srcset], [poster], [action], [ping], [style]',
        )) {
            for (const name of ['src', 'href', 'srcset', 'poster', 'action', 'ping', 'style']) {
                const value = element.getAttribute(name) ?? ''
                // A place in the window leads nowhere else, whatever the names in it are.
                if (name === 'href' && value.startsWith('#/')) continue
                if (
                    /hostile\.example|javascript:|url\(/i.test(value) ||
                    (/^data:/i.test(value) &&
                        !/^data:(image\/(png|jpeg|gif|webp)|audio\/)/i.test(value))
                )
                    found.push(`${name}=${value.slice(0, 120)}`)
            }
        }
        return found
    })

/** Gives what would load the time to do so. */
const settled = async (page) => {
    await page.waitForLoadState('networkidle')
    await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    )
}

const button = (page, name) => page.getByRole('button', { name, exact: true })
const tab = (page, name) => page.getByRole('tab', { name, exact: true })

async function call(page) {
    await button(page, /^Run /).click()
    await page.getByText('Structured result', { exact: true }).waitFor()
}

/** Formulas and colours come when what draws them is loaded. */
async function drawn(page) {
    await page.locator('.markdown math').first().waitFor()
    await page.locator('.markdown pre .name').first().waitFor()
}

const PLACES = [
    ['the answer of a tool', 'tools/hostile/hostile', call],
    [
        'the definition of a tool',
        'tools/hostile/hostile',
        (page) => tab(page, 'Definition').click(),
    ],
    [
        'the messages of a call',
        'tools/hostile/hostile',
        async (page) => {
            await call(page)
            const messages = page.getByText(/^Messages/).first()
            if (await messages.count()) await messages.click()
        },
    ],
    ['the instructions and the name of a server', 'servers/hostile/details'],
    ['its tools', 'servers/hostile'],
    ['its resources', 'servers/hostile/resources'],
    [
        'a resource',
        `servers/hostile/resources/${encodeURIComponent('https://hostile.example/listed')}`,
        (page) => button(page, 'Read').click(),
    ],
    ['its prompts', 'servers/hostile/prompts'],
    [
        'a prompt',
        'servers/hostile/prompts/attack',
        async (page) => {
            await button(page, 'Get').click()
            await page.getByRole('heading', { name: 'What it comes to' }).waitFor()
        },
    ],
    ['its log', 'servers/hostile/logs'],
    ['the messages behind it', 'servers/hostile/exchange'],
    ['what it wrote', 'servers/hostile/output'],
    ['a reply of a model', 'conversations/hostile', drawn],
    [
        'a task and what is to be read for it',
        'conversations/task-hostile',
        (page) => page.locator('details summary').first().click(),
    ],
    [
        'an assistant from a file',
        'assistants',
        async (page) => {
            await button(page, 'More for Hostile').click()
            await page.getByRole('menuitem', { name: 'Edit' }).click()
        },
    ],
    ['what was done', 'activity/9999'],
    ['what was allowed', 'approvals'],
    ['what applications say that they are', 'clients'],
    ['what an application says that it is', 'clients/cursor'],
]

for (const [name, at, act] of PLACES) {
    test(`cases 34 and 36: showing ${name} loads, runs and opens nothing`, async () => {
        const { page, got } = await hostile(at)
        await page.getByRole('heading').first().waitFor()
        await settled(page)
        await act?.(page)
        await settled(page)
        assert.match(await page.textContent('body'), /hostile\.example/, 'nothing hostile is shown')
        assert.deepEqual(await armed(page), [])
        assert.deepEqual(got, [])
        await page.context().close()
    })
}

for (const [question, words] of [
    ['0', 'a form'],
    ['1', 'an address'],
    ['2', 'a wish for a model'],
    ['3', 'a call'],
]) {
    test(`cases 34 and 36: asking about ${words} loads, runs and opens nothing`, async () => {
        const { page, got } = await hostile('', {
            page: 'question.html',
            query: `world=hostile&question=${question}`,
        })
        await settled(page)
        assert.match(await page.textContent('body'), /hostile\.example/, 'nothing hostile is shown')
        assert.deepEqual(await armed(page), [])
        assert.deepEqual(got, [])
        await page.context().close()
    })
}

test('cases 34 and 36: formulas and code in colours keep to what the window allows', async () => {
    for (const [query, at] of [
        ['world=hostile', 'conversations/hostile'],
        ['', 'conversations/talk-1'],
    ]) {
        const page = await gallery.open('', { query, bypassCSP: false })
        await page.evaluate(() => {
            // As the window does, too.
            Object.freeze(Object.prototype)
            globalThis.violations = []
            document.addEventListener('securitypolicyviolation', (event) =>
                globalThis.violations.push(`${event.violatedDirective} ${event.blockedURI}`),
            )
        })
        await page.evaluate((place) => (location.hash = `#/${place}`), at)
        await drawn(page)
        await settled(page)
        assert.deepEqual(await page.evaluate(() => globalThis.violations), [])
        await page.evaluate(() =>
            document.body.insertAdjacentHTML('beforeend', '<i style="color: red">x</i>'),
        )
        await settled(page)
        assert.equal((await page.evaluate(() => globalThis.violations)).length, 1)
        await page.context().close()
    }
})

test('what would get out is noticed', async () => {
    const { page, got } = await hostile('')
    await page.evaluate(() => {
        document.body.insertAdjacentHTML(
            'beforeend',
            '<img src="https://hostile.example/seen.png" onerror="window.ran(1)"><a href="javascript:alert(1)">x</a>',
        )
        setTimeout(() => alert('seen'))
    })
    await settled(page)
    await page.waitForFunction(() => document.querySelector('img[src*=seen]')?.complete)
    assert.equal((await armed(page)).length, 2)
    assert.deepEqual(got.sort(), [
        'dialog seen',
        'ran 1',
        'request https://hostile.example/seen.png',
    ])
    await page.context().close()
})

test('a link of a server leads nowhere without a press and a yes', async () => {
    const { page, got } = await hostile('tools/hostile/hostile')
    await call(page)
    await settled(page)
    // Whatever looks like a link in the page is ours.
    const links = await page.evaluate(() =>
        [...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href')),
    )
    assert.ok(
        links.every((link) => link.startsWith('#')),
        links.join(' '),
    )
    const open = button(page, 'Open…')
    assert.equal(await open.count(), 1, 'only the web address can be opened')
    await open.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Leads to hostile.example').waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await settled(page)
    assert.deepEqual(got, [])
    await page.context().close()
})
