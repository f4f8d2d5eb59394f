// Every view keeps nobody out: light and dark, narrow and wide, by axe's serious and critical findings.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Majordomo, barriers, picture } from './majordomo.mjs'

let majordomo
before(async () => {
    majordomo = await Majordomo.start()
    await majordomo.terminal('servers', 'enable', 'currency')
    await majordomo.terminal('clients', 'add', 'Editor')
})
after(() => majordomo.end())

const VIEWS = [
    'servers',
    'servers/currency',
    'servers/currency/review',
    'tools',
    'tools/currency/get_exchange_rate',
    'clients',
    'clients/editor',
    'clients/editor/tools',
    'clients/editor/setup',
    'activity',
    'approvals',
    'settings',
]

for (const colorScheme of ['light', 'dark']) {
    for (const width of [1280, 480]) {
        test(`every view keeps nobody out, ${colorScheme} and ${width} wide`, async () => {
            const page = await majordomo.open({
                colorScheme,
                viewport: { width, height: 800 },
                bypassCSP: true,
            })
            const origin = new URL(majordomo.address).origin
            for (const view of VIEWS) {
                await page.goto(`${origin}/#/${view}`)
                await page.getByRole('heading').first().waitFor()
                await picture(page, `${view.replaceAll('/', '-')}-${colorScheme}-${width}`)
                assert.deepEqual(await barriers(page), [], view)
                const wider = await page.evaluate(
                    () =>
                        document.documentElement.scrollWidth - document.documentElement.clientWidth,
                )
                assert.ok(wider <= 0, `${view} is ${wider} pixels wider than the window`)
            }
        })
    }
}

test('over HTTP the question page has no question and no way to answer', async () => {
    const page = await majordomo.open({ bypassCSP: true })
    await page.goto(`${new URL(majordomo.address).origin}/question.html`)
    await page.locator('#app > *').first().waitFor()
    assert.equal(await page.getByRole('button', { name: /allow/i }).count(), 0)
    assert.deepEqual(await barriers(page), [])
})
