// On a Chinese screen every word of ours is Chinese. Words of servers stand in elements of their own, and are theirs.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Gallery } from './gallery.mjs'
import { picture } from './majordomo.mjs'

let gallery
before(async () => (gallery = await Gallery.start()))
after(() => gallery.end())

const VIEWS = [
    'welcome',
    'welcome?world=first&found',
    'servers',
    'servers/files',
    'servers/files/resources',
    'servers/files/prompts',
    'servers/files/prompts/review_code',
    'servers/files/folders',
    'servers/files/logs',
    'servers/files/exchange',
    'servers/files/output',
    'servers/files/details',
    'servers/files/details?sandbox=landlock',
    'servers/files/details?sandbox=missing',
    'servers/files/details?sandbox=protected',
    'servers/files/details?sandbox=refused',
    'servers/web/details',
    'servers/calendar',
    'servers/git-history',
    'servers/notebook',
    'servers/notebook/review',
    'servers/web/review',
    'servers/currency/review',
    'tools/web/read_page',
    'servers/issues-remote',
    'servers/issues-remote/details',
    'servers/wiki',
    'servers/mail',
    'servers/weather',
    'tools',
    'tools/files/write_file',
    'activity',
    'activity/1000',
    'activity/984',
    'approvals',
    'policy',
    'policy/try',
    'policy/try/files/write_file',
    'workspaces',
    'settings',
    'conversations',
    'conversations/talk-1',
    'conversations/tasks',
    'assistants',
]

/** Names that are the same in every language, and names that a person gave. */
const NAMES = [
    'Majordomo',
    'JSON',
    'Lines',
    'CSV',
    'PKCE',
    'OAuth',
    'OpenID',
    'ID',
    'English',
    'PATH',
    'Ctrl',
    'majordomoctl',
    'Anthropic',
    'OpenAI',
    'Google',
    'Gemini',
    'Ollama',
    'Claude',
    'Desktop',
    'Cursor',
    'VS',
    'Code',
    'Here',
    'questions',
    'answer',
    'files',
    'git',
    'history',
    'issues',
    'remote',
    'calendar',
    'wiki',
    'mail',
    'weather',
    'shipping',
    'currency',
    'notebook',
    'web',
    'majordomo',
    'desk',
    'work',
    'everything',
    'summarise',
    'style',
    'url',
    'headers',
    'maxLength',
    'xn',
    'kB',
    'MB',
    'Harbour',
    'authority',
    'pastebin',
    'paste',
    'OpenTelemetry',
    'OTLP',
    'HTTP',
    'path',
    'content',
    'retries',
    'mode',
    'deep',
    'Password',
    'Researcher',
    'Invoice',
    'check',
    'api',
    'db',
]

/** Every word of Latin letters that is seen or heard and is not marked as from outside. */
function latinWords() {
    // The fields of forms for tools, prompts and templates are named by the server.
    const theirForms = '.form, li form label, article form label, article form .hint'
    const outside = `bdi, pre, code, blockquote, script, style, input, textarea, .detail, ${theirForms}`
    const said = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
        const at = walker.currentNode
        if (
            at.parentElement &&
            !at.parentElement.closest(outside) &&
            at.parentElement.checkVisibility()
        )
            said.push(at.data)
    }
    // What a label says of something from outside, it says in the words of that. The label of a formula is its source.
    const theirs = [...document.querySelectorAll('bdi, pre, code')]
        .map((element) => element.textContent.trim())
        .filter((text) => text.length > 2)
        .sort((a, b) => b.length - a.length)
        .map((text) => text.replaceAll(/[^\w\s]/g, '\\$&'))
        .map((text) => new RegExp(`(?<![A-Za-z])${text}(?![A-Za-z])`, 'g'))
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [alt]')) {
        if (element.closest('bdi, pre, code, math, .form')) continue
        for (const name of ['aria-label', 'placeholder', 'alt'])
            said.push(
                theirs.reduce(
                    (label, text) => label.replaceAll(text, ''),
                    element.getAttribute(name) ?? '',
                ),
            )
    }
    return said.flatMap((text) =>
        (text.match(/(?<![\w/.:{-])[A-Za-z]{2,}(?![\w/:}])/g) ?? []).map((word) => ({
            word,
            text: text.trim(),
        })),
    )
}

test('no English word is left on a Chinese screen', async () => {
    const found = []
    for (const view of VIEWS) {
        const [at, query = ''] = view.split('?')
        const page = await gallery.open(at, { query, locale: 'zh-CN' })
        await page.waitForLoadState('networkidle')
        for (const { word, text } of await page.evaluate(latinWords))
            if (!NAMES.includes(word)) found.push(`${view}: ${word} in “${text}”`)
        await page.evaluate(() =>
            document
                .querySelectorAll('details, article h3 button[aria-expanded=false]')
                .forEach((at) => (at.tagName === 'DETAILS' ? (at.open = true) : at.click())),
        )
        for (const { word, text } of await page.evaluate(latinWords))
            if (!NAMES.includes(word)) found.push(`${view}, open: ${word} in “${text}”`)
        await picture(page, `zh-${view.replaceAll(/[/?=]/g, '-')}`)
        await page.context().close()
    }
    assert.deepEqual([...new Set(found)], [])
})

test('no English word is left in a Chinese question', async () => {
    const found = []
    for (const question of Array.from({ length: 20 }).keys()) {
        const page = await gallery.open('', {
            page: 'question.html',
            query: `question=${question}`,
            locale: 'zh-CN',
        })
        for (const { word, text } of await page.evaluate(latinWords))
            if (!NAMES.includes(word)) found.push(`question ${question}: ${word} in “${text}”`)
        await page.context().close()
    }
    assert.deepEqual([...new Set(found)], [])
})
