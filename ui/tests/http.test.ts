import { afterEach, expect, test, vi } from 'vitest'
import { beginAnewWithNewToken, httpHost, takeToken } from '../src/host/http'
import { readEvents } from '../src/host/sse'
import type { EventEnvelope } from '../src/host/types.gen'

afterEach(() => vi.unstubAllGlobals())

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

function stream(...chunks: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
      controller.close()
    },
  })
}

function answering(response: () => Response): { url: string; init: RequestInit }[] {
  const asked: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    asked.push({ url, init })
    return Promise.resolve(response())
  })
  return asked
}

test('the token leaves the address and stays for this tab', () => {
  location.hash = '#token=abc-123'
  expect(takeToken()).toBe('abc-123')
  expect(location.href).not.toContain('abc-123')
  expect(takeToken()).toBe('abc-123')
})

test('the address of a host that was started again, opened in the same tab, begins anew with its token', () => {
  const reload = vi.fn()
  beginAnewWithNewToken(reload)
  location.hash = '#/servers'
  window.dispatchEvent(new Event('hashchange'))
  expect(reload).not.toHaveBeenCalled()
  location.hash = '#token=def-456'
  window.dispatchEvent(new Event('hashchange'))
  expect(reload).toHaveBeenCalledOnce()
  expect(location.href).not.toContain('def-456')
  expect(takeToken()).toBe('def-456')
})

test('a token that is refused is told apart from a host that does not answer', async () => {
  answering(() => new Response('', { status: 401 }))
  await expect(httpHost('old', 'http://host').ask('snapshot')).rejects.toMatchObject({
    code: 'needs_sign_in',
  })
})

test('a request carries the token in a header and never in the address', async () => {
  const asked = answering(() => Response.json([]))
  await httpHost('t', 'http://host').ask('list_tools', { server: 'files' })
  expect(asked[0]?.url).toBe('http://host/rpc')
  expect(asked[0]?.init.headers).toMatchObject({ Authorization: 'Bearer t' })
  expect(JSON.parse(String(asked[0]?.init.body))).toEqual({
    method: 'list_tools',
    params: { server: 'files' },
  })
})

test('an error of the host arrives as it is', async () => {
  answering(() =>
    Response.json({ code: 'server_off', message: 'off', refusal: null }, { status: 409 }),
  )
  await expect(httpHost('t', 'http://host').ask('snapshot')).rejects.toMatchObject({
    code: 'server_off',
  })
})

test('an answer that is not ours is said with its status', async () => {
  answering(() => new Response('<html>', { status: 502 }))
  await expect(httpHost('t', 'http://host').ask('snapshot')).rejects.toMatchObject({
    code: 'http_status',
  })
})

test('events arrive whole however they were cut, and the end of the stream is said', async () => {
  answering(
    () =>
      new Response(
        stream(
          ': hello\n\nda',
          'ta: {"seq":1,"event":{"kind":"server_removed",',
          '"server":"a"}}\r\n\r\ndata: {"seq":2,"event":{"kind":"server_removed","server":"b"}}\n\n',
        ),
      ),
  )
  const events: EventEnvelope[] = []
  const lost: string[] = []
  await httpHost('t', 'http://host').listen({
    event: (event) => events.push(event),
    lost: (error) => lost.push(error.code),
  })
  await settle()
  expect(events.map((event) => event.seq)).toEqual([1, 2])
  expect(lost).toEqual(['connection_lost'])
})

test('an event of several data lines is one', async () => {
  const found: string[] = []
  for await (const data of readEvents(stream('data: a\ndata: b\n\n'))) found.push(data)
  expect(found).toEqual(['a\nb'])
})
