// A web page that is not ours reaches neither the door of the pages nor that of other applications: with another port, with another
// spelling of this computer, with a name that was pointed here, and even with the tokens in its hands.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { LONGEST_WAIT, Majordomo, QUIET, browserProgram } from './majordomo.mjs'

/** A name of a stranger that leads to this computer. */
const REBOUND = 'rebound.example'
/** The ways to write this computer that a browser finds a way with. What is only another writing of these, it sends as these. */
const SPELLINGS = ['127.0.0.1', 'localhost', 'localhost.', 'any.localhost', '0.0.0.0', REBOUND]
const HTML = '<!doctype html><title>A page of a stranger</title>'

let majordomo, browser, stranger, folder
/** The two doors: their ports, paths, tokens, and a request to each that would be seen in the host. */
let doors

before(async () => {
    majordomo = await Majordomo.start()
    await majordomo.terminal('servers', 'enable', 'currency')
    await majordomo.terminal('clients', 'add', 'Editor')
    const { token } = await majordomo.terminal('clients', 'token', 'editor')
    const page = new URL(majordomo.address)
    doors = [
        {
            port: page.port,
            paths: ['/rpc', '/events'],
            token: new URLSearchParams(page.hash.slice(1)).get('token'),
            body: { method: 'disable_server', params: { server: 'currency' } },
        },
        {
            port: new URL(await clientsAddress()).port,
            paths: ['/mcp', '/mcp/currency'],
            token,
            body: request('tools/call', { name: 'currency__get_exchange_rate', arguments: {} }),
        },
    ]
    stranger = createServer((_, response) => {
        response.setHeader('Content-Type', 'text/html')
        response.end(HTML)
    }).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    folder = mkdtempSync(join(tmpdir(), 'majordomo-stranger-'))
    writeFileSync(join(folder, 'page.html'), HTML)
    browser = await chromium.launch({
        executablePath: browserProgram,
        args: [
            ...QUIET,
            `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`,
            // Not every browser keeps pages from the local network by itself; the doors have to.
            '--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets',
        ],
    })
})
after(async () => {
    await browser?.close()
    stranger?.close()
    if (folder) rmSync(folder, { recursive: true, force: true })
    await majordomo?.end()
})

/** Where applications come in; the door opens a moment after the first token. */
async function clientsAddress() {
    for (;;) {
        const { address } = await majordomo.terminal('clients', 'list')
        if (address) return address
        await new Promise((next) => setTimeout(next, 50))
    }
}

function request(method, params) {
    const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
    }
    return { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
}

/** What a stranger must change nothing of. */
async function state() {
    const { clients } = await majordomo.terminal('clients', 'list')
    const servers = await majordomo.terminal('servers', 'list')
    const log = await majordomo.terminal('audit', 'list', '--limit', '500')
    return { clients, on: servers.map(({ id, on }) => [id, on]), log }
}

/**
 * Tries everything that a page can do to get something from a door, or to have something done there. Runs in the page, and gives what
 * it could read, open or load; nothing there needs to be waited for longer than the browser itself waits.
 */
async function tries({ bases, paths, token, body }) {
    const got = []
    const text = JSON.stringify(body)
    const note = (what) => got.push(what)
    const fetched = async (url, options, what) => {
        const stop = new AbortController()
        let answer
        try {
            answer = await fetch(url, { cache: 'no-store', ...options, signal: stop.signal })
        } catch {
            return
        }
        // Of an opaque answer nothing can be read; of another it must be a no with nothing in it.
        if (answer.type !== 'opaque' && ![401, 403].includes(answer.status))
            note(`${what}: ${answer.status}`)
        const reader = answer.body?.getReader()
        const { value } = (await reader?.read().catch(() => undefined)) ?? {}
        if (value?.length) note(`${what}: read ${new TextDecoder().decode(value).slice(0, 80)}`)
        stop.abort()
    }
    const fetches = (url) => {
        const found = []
        const put = (options, more = '') =>
            found.push(
                fetched(url, options, `${options.mode} ${options.method} ${url} ${more}`.trim()),
            )
        for (const credentials of ['omit', 'include']) {
            for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
                const sent = ['GET', 'HEAD'].includes(method) ? undefined : text
                const about = { mode: 'cors', method, credentials }
                put({ ...about, body: sent })
                put(
                    {
                        ...about,
                        body: sent,
                        headers: {
                            Authorization: `Bearer ${token}`,
                            Accept: 'application/json, text/event-stream',
                            'Content-Type': 'application/json',
                            'MCP-Protocol-Version': '2026-07-28',
                        },
                    },
                    'with the token',
                )
            }
            for (const type of [
                'text/plain',
                'application/x-www-form-urlencoded',
                'multipart/form-data; boundary=x',
            ])
                for (const mode of ['cors', 'no-cors'])
                    put(
                        {
                            mode,
                            method: 'POST',
                            credentials,
                            body: text,
                            headers: { 'Content-Type': type },
                        },
                        type,
                    )
            for (const method of ['GET', 'HEAD']) put({ mode: 'no-cors', method, credentials })
        }
        return found
    }
    const ended = (target, good, bad, what) =>
        new Promise((done) => {
            const over = (opened) => () => {
                if (opened) note(what)
                target.close?.()
                done()
            }
            for (const name of good) target.addEventListener(name, over(true))
            for (const name of bad) target.addEventListener(name, over(false))
        })
    const loads = (tag, attribute, url) => {
        const element = Object.assign(document.createElement(tag), { [attribute]: url })
        if (tag === 'link') element.rel = 'stylesheet'
        const done = ended(element, ['load', 'loadeddata'], ['error'], `${tag} ${url}`)
        document.body.append(element)
        return done
    }
    /** A form into a frame: what comes back cannot be read, and says `load` in any case. */
    const posts = (url, enctype) => {
        const frame = document.createElement('iframe')
        frame.name = `frame-${Math.random()}`
        const form = Object.assign(document.createElement('form'), {
            action: url,
            method: 'POST',
            enctype,
            target: frame.name,
        })
        // As text the name and the value of a field come to the body of a request.
        const [name, value] = [text.slice(0, -1) + ',"padding":"', '"}']
        form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
        document.body.append(frame, form)
        const done = new Promise((loaded) => frame.addEventListener('load', loaded))
        form.submit()
        return done
    }
    const frames = (url) => {
        const frame = Object.assign(document.createElement('iframe'), { src: url })
        const done = new Promise((loaded) => frame.addEventListener('load', loaded))
        document.body.append(frame)
        return done
    }
    const opens = (base, path) => {
        const url = `http://${base}${path}`
        navigator.sendBeacon(url, new Blob([text], { type: 'text/plain' }))
        return [
            ...fetches(url),
            ...[false, true].map((withCredentials) => {
                const source = new EventSource(url, { withCredentials })
                return ended(source, ['open', 'message'], ['error'], `EventSource ${url}`)
            }),
            ended(
                new WebSocket(`ws://${base}${path}`),
                ['open'],
                ['error'],
                `WebSocket ${base}${path}`,
            ),
            loads('img', 'src', url),
            loads('script', 'src', url),
            loads('link', 'href', url),
            loads('video', 'src', url),
            posts(url, 'text/plain'),
            posts(url, 'application/x-www-form-urlencoded'),
            frames(url),
        ]
    }
    for (const base of bases)
        await Promise.all([
            ...paths.flatMap((path) => opens(base, path)),
            frames(`http://${base}/`),
        ])
    return got
}

/** What stands in frames that a page has opened on a door. The browser's own page of an error is none of the door's. */
async function framed(page) {
    const found = []
    for (const frame of page.frames()) {
        const { port } = frame.url().startsWith('http') ? new URL(frame.url()) : {}
        if (frame === page.mainFrame() || !doors.some((door) => door.port === port)) continue
        const words = await frame.evaluate(() => document.documentElement.innerText.trim())
        if (words !== '') found.push(`${frame.url()}: ${words.slice(0, 80)}`)
    }
    return found
}

/** Opens a page of a stranger; `place` says of which origin. */
async function opened(place) {
    const page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(LONGEST_WAIT)
    const here = stranger.address().port
    if (place === 'a file') {
        await page.goto(pathToFileURL(join(folder, 'page.html')).href)
    } else if (place === 'a sandbox') {
        await page.goto(`http://127.0.0.1:${here}/`)
        await page.evaluate(() => {
            document.body.innerHTML =
                '<iframe sandbox="allow-scripts allow-forms" srcdoc="x"></iframe>'
        })
        const frame = page.frames()[1]
        await frame.waitForLoadState()
        return { page, frame }
    } else if (place.startsWith('the name')) {
        // What name rebinding comes to: the page was sent by a stranger, and its origin is the door's by name and port.
        const url = `http://${REBOUND}:${doors[place.endsWith('page') ? 0 : 1].port}/stranger`
        await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: HTML }))
        await page.goto(url)
    } else {
        await page.goto(`http://${place}:${here}/`)
    }
    return { page, frame: page.mainFrame() }
}

for (const place of [
    '127.0.0.1',
    'localhost',
    REBOUND,
    'the name of a stranger at the port of the page',
    'the name of a stranger at the port of applications',
    'a sandbox',
    'a file',
]) {
    test(`a page of ${place} has nothing done, reads nothing and lists nothing`, async () => {
        const before = await state()
        const { page, frame } = await opened(place)
        // What came as far as a door, by its port: also what the page itself may not know of.
        const reached = new Map(doors.map(({ port }) => [port, new Set()]))
        page.on('response', (response) => {
            const { port, pathname } = new URL(response.url())
            // The files of the pages hold nothing of anybody's, and stand in no frame of another page.
            if (pathname !== '/') reached.get(port)?.add(response.status())
        })
        for (const { port, ...door } of doors) {
            const bases = SPELLINGS.map((name) => `${name}:${port}`)
            const got = await frame.evaluate(tries, { ...door, bases })
            assert.deepEqual(got, [])
            const statuses = [...reached.get(port)]
            assert.ok(statuses.includes(403), `nothing came as far as the door at ${port}`)
            assert.deepEqual(
                statuses.filter((status) => ![401, 403].includes(status)),
                [],
            )
        }
        assert.deepEqual(await framed(page), [])
        await page.context().close()
        assert.deepEqual(await state(), before)
    })
}

test('the same tries are noticed where they get through', async () => {
    const [page, clients] = doors
    // The page itself, with its token, may do so.
    const own = await majordomo.open({ bypassCSP: true })
    const got = await own.evaluate(tries, {
        bases: [`127.0.0.1:${page.port}`],
        paths: ['/rpc'],
        token: page.token,
        body: { method: 'list_clients' },
    })
    assert.ok(
        got.some((what) => /^cors POST .* with the token: read .*editor/.test(what)),
        got.join('\n'),
    )
    // An application with its token comes in, and its call is written down.
    const { log } = await state()
    const answer = await fetch(`http://127.0.0.1:${clients.port}/mcp`, {
        method: 'POST',
        headers: {
            Authorization: `Bearer ${clients.token}`,
            Accept: 'application/json, text/event-stream',
            'Content-Type': 'application/json',
            'MCP-Protocol-Version': '2026-07-28',
            'Mcp-Method': 'tools/call',
            'Mcp-Name': clients.body.params.name,
        },
        body: JSON.stringify(clients.body),
    })
    assert.equal(answer.status, 200, await answer.text())
    const now = await state()
    assert.notDeepEqual(now.log, log)
    assert.notEqual(now.clients[0].seen_at, null)
})
