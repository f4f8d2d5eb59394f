// The pages on the pretended host, in a browser: every state can be seen, and no program of ours is needed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { build, preview } from 'vite'
import { LONGEST_WAIT, QUIET, browserProgram, ui } from './majordomo.mjs'

/** What the window lets its pages do. */
const { csp } = JSON.parse(readFileSync(join(ui, '..', 'tauri.conf.json'), 'utf8')).app.security
const POLICY = Object.entries(csp)
    .map(([what, from]) => `${what} ${from}`)
    .join('; ')

export class Gallery {
    /** Builds the pages with the pretended host in them, which no other build has, and serves them. */
    static async start() {
        const dir = mkdtempSync(join(tmpdir(), 'majordomo-gallery-'))
        process.env.NODE_ENV = 'development'
        const outDir = join(dir, 'dist')
        await build({
            root: ui,
            mode: 'development',
            logLevel: 'error',
            build: { outDir, emptyOutDir: true, minify: false, reportCompressedSize: false },
        })
        const server = await preview({
            root: ui,
            logLevel: 'error',
            build: { outDir },
            preview: {
                host: '127.0.0.1',
                port: 0,
                headers: { 'Content-Security-Policy': POLICY },
            },
        })
        const browser = await chromium.launch({ executablePath: browserProgram, args: QUIET })
        return new Gallery(dir, server, browser)
    }

    constructor(dir, server, browser) {
        Object.assign(this, { dir, server, browser, wrong: [] })
    }

    /**
     * Opens a page of the pretended host: `at` is a place in the window, `query` chooses the world and the person. With `now` the
     * clock stands still. What the window forbids is allowed here, so that the tests see whoever tries it, unless `bypassCSP` is
     * false.
     */
    async open(at = '', { query = '', page: file = '', now, ...options } = {}) {
        const context = await this.browser.newContext({
            viewport: { width: 1280, height: 800 },
            locale: 'en-US',
            bypassCSP: true,
            ...options,
        })
        if (now !== undefined) await context.clock.setFixedTime(now)
        const page = await context.newPage()
        page.setDefaultTimeout(LONGEST_WAIT)
        page.on('pageerror', (error) => this.wrong.push(error.message))
        await page.goto(
            `http://127.0.0.1:${this.server.httpServer.address().port}/${file}?host=fake&${query}${at === '' ? '' : `#/${at}`}`,
        )
        await page.getByRole('heading').first().waitFor()
        return page
    }

    async end() {
        await this.browser.close()
        await this.server.close()
        rmSync(this.dir, { recursive: true, force: true })
    }
}
