// Pictures of the pages, in both themes and languages: `cargo xtask pictures` writes them to the folder that it names, and those
// of the README to `.github/pictures`.
//
// Always true here: they show the pretended host at one moment, so no host, no clock and nothing of this computer is in them.
import { copyFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Gallery } from './gallery.mjs'
import { ui } from './majordomo.mjs'

/** Every visitor of the README loads them. */
const MAX_BYTES = 160_000

/** When the newest row of the pretended log was written. */
const NOW = Date.UTC(2026, 10, 21, 9, 30)

const WINDOW = { width: 1280, height: 760 }
const QUESTION = { width: 540, height: 680 }
/** The answers open a moment after they were shown. */
const canAnswer = (page) =>
    page.getByRole('button', { name: /^(Allow once|允许一次)$/, disabled: false })

/** What is shown, where, and whether the README shows it, too. */
const PICTURES = [
    {
        name: 'question',
        page: 'question.html',
        query: 'question=5',
        viewport: QUESTION,
        ready: canAnswer,
        readme: true,
    },
    {
        name: 'question-reads',
        page: 'question.html',
        query: 'question=0',
        viewport: QUESTION,
        ready: canAnswer,
    },
    {
        name: 'questions',
        page: 'question.html',
        query: 'question=15&waiting=all',
        viewport: QUESTION,
    },
    { name: 'welcome', at: 'welcome', query: 'world=first&found', readme: true },
    { name: 'servers', at: 'servers', readme: true },
    { name: 'server', at: 'servers/files/details' },
    { name: 'review', at: 'servers/notebook/review', readme: true },
    { name: 'tools', at: 'tools/currency/get_exchange_rate', readme: true },
    { name: 'activity', at: 'activity/1000', readme: true },
    { name: 'activity-list', at: 'activity' },
    { name: 'approvals', at: 'approvals' },
    { name: 'policy', at: 'policy', readme: true },
    { name: 'conversations', at: 'conversations/talk-1', readme: true },
    { name: 'clients', at: 'clients' },
    { name: 'settings', at: 'settings' },
]

const folder = process.env.MAJORDOMO_PICTURES ?? join(ui, 'test-results', 'pictures')
const readme = join(ui, '..', '.github', 'pictures')
for (const each of [folder, readme]) mkdirSync(each, { recursive: true })

async function take(
    gallery,
    { name, at, ready, readme: shown, viewport = WINDOW, ...options },
    colorScheme,
    locale,
) {
    const page = await gallery.open(at, {
        ...options,
        viewport,
        colorScheme,
        locale,
        now: NOW,
        timezoneId: 'UTC',
    })
    await page.evaluate(() => document.fonts.ready)
    if (ready) await ready(page).waitFor()
    const path = join(folder, `${name}-${colorScheme}${locale === 'en-US' ? '' : `.${locale}`}.png`)
    await page.screenshot({ path, animations: 'disabled' })
    await page.context().close()
    process.stdout.write(`${path}\n`)
    if (!shown || locale !== 'en-US') return
    const { size } = statSync(path)
    if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MAX_BYTES}`)
    copyFileSync(path, join(readme, `${name}-${colorScheme}.png`))
}

const gallery = await Gallery.start()
try {
    for (const picture of PICTURES)
        for (const colorScheme of ['light', 'dark'])
            for (const locale of ['en-US', 'zh-CN'])
                await take(gallery, picture, colorScheme, locale)
    if (gallery.wrong.length > 0) throw new Error(gallery.wrong.join('\n'))
} finally {
    await gallery.end()
}
