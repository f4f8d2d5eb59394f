// The pictures of the README, in both themes: `npm run pictures` writes them to `.github/pictures`.
//
// Always true here: they show the pretended host at one moment, so no host, no clock and nothing of this computer is in them.
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Gallery } from './gallery.mjs'
import { ui } from './majordomo.mjs'

/** Every visitor of the README loads them. */
const MAX_BYTES = 150_000

/** When the newest row of the pretended log was written. */
const NOW = Date.UTC(2026, 10, 21, 9, 30)

const PICTURES = [
    {
        name: 'question',
        page: 'question.html',
        query: 'question=5',
        viewport: { width: 540, height: 700 },
        // The answers open a moment after they were shown.
        ready: (page) => page.getByRole('button', { name: 'Allow once', disabled: false }),
    },
    {
        name: 'activity',
        at: 'activity/1000',
        viewport: { width: 1280, height: 760 },
        ready: (page) => page.getByRole('heading', { name: 'Arguments' }),
    },
]

const folder = join(ui, '..', '.github', 'pictures')
mkdirSync(folder, { recursive: true })

const gallery = await Gallery.start()
try {
    for (const { name, at, ready, ...options } of PICTURES) {
        for (const colorScheme of ['light', 'dark']) {
            const page = await gallery.open(at, {
                ...options,
                colorScheme,
                now: NOW,
                timezoneId: 'UTC',
            })
            await ready(page).waitFor()
            const path = join(folder, `${name}-${colorScheme}.png`)
            await page.screenshot({ path, animations: 'disabled' })
            await page.context().close()
            const { size } = statSync(path)
            if (size > MAX_BYTES)
                throw new Error(`${path} has ${size} bytes, more than ${MAX_BYTES}`)
            process.stdout.write(`${path}\n`)
        }
    }
    if (gallery.wrong.length > 0) throw new Error(gallery.wrong.join('\n'))
} finally {
    await gallery.end()
}
