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
    'approvals',
    'policy',
    'policy/try',
    'policy/try/files/write_file',
    'workspaces',
    'settings',
    'conversations',
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
    'majordomoctl',
    'Anthropic',
    'OpenAI',
    'Google',
    'Gemini',
    'Ollama',
    'Claude',
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
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [alt]')) {
        if (element.closest('bdi, pre, code, .form')) continue
        for (const name of ['aria-label', 'placeholder', 'alt'])
            said.push(element.getAttribute(name) ?? '')
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
        const page = await gallery.open(view, { locale: 'zh-CN' })
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
        await picture(page, `zh-${view.replaceAll('/', '-')}`)
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
