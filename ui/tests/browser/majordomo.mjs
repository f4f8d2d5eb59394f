// A host without a window, as a child process on a folder of its own, and a browser on its pages.
//
// The page over HTTP can never answer a question; here the terminal does, with the approver token.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

export const ui = fileURLToPath(new URL('../..', import.meta.url))
const programs = process.env.MAJORDOMO_PROGRAMS
export const browserProgram = process.env.MAJORDOMO_CHROMIUM
if (!programs || !browserProgram)
    throw new Error(
        'run these tests with `cargo xtask test`: it builds the programs and names the browser',
    )

const end = process.platform === 'win32' ? '.exe' : ''
const majordomoctl = join(programs, `majordomoctl${end}`)

/** A small server that behaves as its first argument says. */
export const misbehave = join(programs, `misbehave${end}`)

/** A service for models that follows a script. */
export const stubModel = join(programs, `stub-model${end}`)

const axe = readFileSync(join(ui, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')
const pictures = join(ui, 'test-results')
mkdirSync(pictures, { recursive: true })

/** What is waited for at most, in milliseconds: it only bounds a failure, and a busy machine is no reason to fail. */
export const LONGEST_WAIT = 120_000

/** Quiet and without any connection of its own. */
export const QUIET = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
]

/** Where windowed applications keep their configurations below a home, on each system. */
const SUPPORT = { darwin: 'Library/Application Support', win32: 'AppData/Roaming' }

/** The surroundings of a person whose home is this folder. */
function personIn(home, prepare) {
    const support = join(home, SUPPORT[process.platform] ?? '.config')
    mkdirSync(support, { recursive: true })
    prepare(support)
    // What is no absolute path moves nothing.
    const moved = { CODEX_HOME: '', COPILOT_HOME: '' }
    const config = join(home, '.config')
    return { ...process.env, ...moved, HOME: home, XDG_CONFIG_HOME: config, APPDATA: support }
}

/** The file with the token of those who may answer. */
const tokenIn = (dir) => join(dir, 'approver')

/** Starts a host on what is in this folder, and learns the address of its pages. */
async function serve(dir, env) {
    const dist = join(ui, 'dist')
    if (!existsSync(join(dist, 'index.html'))) throw new Error('the pages are not built')
    const args = [
        '--data-dir',
        join(dir, 'data'),
        '--json',
        'serve',
        '--ui',
        dist,
        '--approver-token-file',
        tokenIn(dir),
    ]
    const host = spawn(majordomoctl, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
    const address = await new Promise((resolve, reject) => {
        let said = ''
        host.stdout.on('data', (chunk) => {
            said += chunk
            try {
                resolve(JSON.parse(said).address)
            } catch {
                // Not all of it has come yet.
            }
        })
        host.once('exit', (code) => reject(new Error(`the host ended with ${code}`)))
    })
    return { host, address }
}

export class Majordomo {
    /**
     * Starts a host and opens its address in a browser. With `prepare` the host runs for a person of its own: it is given the folder
     * in which applications of that person keep their configurations, before the host looks there.
     */
    static async start({ prepare } = {}) {
        const dir = mkdtempSync(join(tmpdir(), 'majordomo-'))
        const env = prepare ? personIn(join(dir, 'home'), prepare) : process.env
        const served = await serve(dir, env)
        const browser = await chromium.launch({ executablePath: browserProgram, args: QUIET })
        return new Majordomo(dir, env, served, browser)
    }

    constructor(dir, env, served, browser) {
        Object.assign(this, { dir, env, token: tokenIn(dir), ...served, browser, heard: [] })
    }

    /** Ends the host at once, in whatever it does. */
    async kill() {
        this.host.kill('SIGKILL')
        await once(this.host, 'exit')
    }

    /** Starts a host again on what the last one has left. Its pages have another address. */
    async restart() {
        Object.assign(this, await serve(this.dir, this.env))
    }

    /** Opens the pages, and keeps everything that the host sends them. */
    async open(options = {}) {
        const context = await this.browser.newContext({
            viewport: { width: 1280, height: 800 },
            ...options,
        })
        const page = await context.newPage()
        page.setDefaultTimeout(LONGEST_WAIT)
        page.on('response', async (response) => {
            // A stream has no body to wait for; what it brings is shown on the page.
            if (response.url().endsWith('/rpc'))
                this.heard.push(await response.text().catch(() => ''))
        })
        page.on('console', (message) => {
            if (message.type() === 'error') this.heard.push(message.text())
        })
        await page.goto(this.address)
        return page
    }

    /** A command in the terminal, with its answer. */
    async terminal(...words) {
        const child = spawn(
            majordomoctl,
            ['--data-dir', join(this.dir, 'data'), '--json', '--yes', ...words],
            { stdio: ['ignore', 'pipe', 'inherit'] },
        )
        let said = ''
        child.stdout.on('data', (chunk) => (said += chunk))
        const [code] = await once(child, 'close')
        if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`)
        return said.trim() === '' ? null : JSON.parse(said)
    }

    /** Waits for a question and answers it, as a person would at a terminal. */
    async answers(answer) {
        for (;;) {
            const [question] = await this.terminal('questions', 'list')
            if (question)
                return this.terminal(
                    'questions',
                    'answer',
                    question.id,
                    ...answer.split(' '),
                    '--approver-token-file',
                    this.token,
                )
            await new Promise((next) => setTimeout(next, 50))
        }
    }

    async end() {
        await this.browser.close()
        if (this.host.exitCode === null && this.host.signalCode === null) {
            this.host.kill('SIGTERM')
            await once(this.host, 'exit')
        }
        rmSync(this.dir, { recursive: true, force: true })
    }
}

/** Keeps what the page looks like. */
export async function picture(page, name) {
    await page.screenshot({ path: join(pictures, `${name}.png`) })
}

/**
 * Lets nothing move any more, and draws also what is out of sight: half-way colours are of no theme, and what is not drawn keeps
 * those of the theme before.
 */
export const still = (page) =>
    page.addStyleTag({
        content: '* { transition: none !important; content-visibility: visible !important; }',
    })

/** Texts in which several signs may be drawn as one: `->` must not look like an arrow. */
const fused = (page) =>
    page.evaluate(() =>
        [...document.querySelectorAll('body *')]
            .filter((element) => getComputedStyle(element).fontVariantLigatures !== 'none')
            .map((element) => `ligatures: ${element.outerHTML.slice(0, 120)}`),
    )

/**
 * What keeps people out: findings of axe that are serious or worse, in words; of some rules of it, where they are named. Without a
 * choice of rules also what is not drawn sign by sign.
 */
export async function barriers(page, rules = undefined) {
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
    const { violations } = await page.evaluate(
        (runOnly) => globalThis.axe.run({ resultTypes: ['violations'], runOnly }),
        rules,
    )
    const drawn = rules === undefined ? (await fused(page)).slice(0, 3) : []
    const found = violations
        .filter((found) => found.impact === 'serious' || found.impact === 'critical')
        .map(
            (found) =>
                `${found.id}: ${found.nodes.map((node) => `${node.target} ${node.failureSummary}`).join(' | ')}`,
        )
    return [...found, ...drawn]
}
