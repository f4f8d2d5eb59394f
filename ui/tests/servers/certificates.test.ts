/** Promises about the certificates of a server with an address. */
import { cleanup, screen, within } from '@testing-library/svelte'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hostError } from '../../src/host/error'
import type { Replies } from '../../src/host/fake'
import { reviewOf } from '../../src/host/fake/launch'
import { fullWorld } from '../../src/host/fake/sample'
import type { HttpLaunch, Launch, ServerDraft } from '../../src/host/types.gen'
import { language } from '../../src/messages'
import Servers from '../../src/views/Servers.svelte'
import { failing, server } from '../replies'
import { askedFor, open, page, settle } from '../support'

const CERTIFICATE =
  '-----BEGIN CERTIFICATE-----\nMIIBpl4ntedcertificate\n-----END CERTIFICATE-----\n'
const KEY = '-----BEGIN PRIVATE KEY-----\nMIIEpl4ntedkey\n-----END PRIVATE KEY-----\n'

const AUTHORITY = { kind: 'file', path: '/home/ada/authority.pem' } as const
const KEPT: Pick<HttpLaunch, 'authority' | 'identity'> = {
  authority: AUTHORITY,
  identity: {
    certificate: { kind: 'file', path: '/home/ada/ada.pem' },
    key: { kind: 'secret', secret: 'secret-00000000000000a2' },
  },
}

const button = (name: string) => screen.getByRole('button', { name })
const select = (name: string) => screen.getByRole('combobox', { name })
const field = (name: RegExp) =>
  within(screen.getByRole('dialog')).getByLabelText<HTMLInputElement | HTMLTextAreaElement>(name)

beforeEach(() => language.choose('en'))
afterEach(cleanup)

async function paste(person: UserEvent, into: RegExp, text: string): Promise<void> {
  await person.click(field(into))
  await person.paste(text)
}

/** All that stands on the page, and in its fields. */
const everything = (): string =>
  document.body.innerHTML +
  [...document.querySelectorAll('input, textarea')]
    .map((input) => (input as HTMLInputElement).value)
    .join()

/** What was drafted, as it is sent: what is absent is not there at all. */
const drafted = (draft: ServerDraft | undefined): unknown =>
  JSON.parse(JSON.stringify(draft?.target))

describe('adding a server', () => {
  /** The form for adding a server; a review and the kept server show what the host makes of the draft. */
  async function form(made: Partial<HttpLaunch> = {}, replies: Replies = {}) {
    const launch: Launch = { ...address, ...made }
    const kept = { ...server(fullWorld(), 'mail', { on: false, reviewed: false }), launch }
    const opened = await open(Servers, fullWorld(), '#/servers', {
      review_draft: reviewOf('inside', launch),
      add_server: { ...kept, id: 'inside', state: { kind: 'off' } },
      ...replies,
    })
    await opened.person.click(button('Add server'))
    await opened.person.click(await screen.findByRole('tab', { name: 'Address (URL)' }))
    await opened.person.type(field(/^Name\s*required/), 'inside')
    await opened.person.type(field(/^Address\s*required/), 'https://inside.example/mcp')
    return opened
  }

  async function add(person: UserEvent): Promise<void> {
    await person.click(button('Continue to review'))
    await settle()
    await person.click(button('Add, leave off'))
    await settle()
  }

  const address = { kind: 'http' as const, url: 'https://inside.example/mcp', headers: [] }
  const pasted = { kind: 'secret' as const, secret: 'secret-0000000000000001' }

  it('says nothing of certificates unless a person does, and the disclosure is closed', async () => {
    const { host, person } = await form()
    expect(screen.getByText('Certificates').closest('details')?.open).toBe(false)
    await add(person)
    expect(drafted(askedFor<{ draft: ServerDraft }>(host, 'add_server')[0]?.draft)).toEqual(address)
  })

  it('with the file of an authority shows its path in the review and keeps it', async () => {
    const { host, person } = await form({ authority: AUTHORITY })
    await person.selectOptions(select('Certificate authority'), 'From a file')
    await person.type(field(/^File of the authority/), AUTHORITY.path)
    await person.click(button('Continue to review'))
    await settle()
    expect(screen.getByRole('dialog').textContent).toContain(AUTHORITY.path)
    await person.click(button('Add, leave off'))
    await settle()
    expect(drafted(askedFor<{ draft: ServerDraft }>(host, 'add_server')[0]?.draft)).toEqual({
      ...address,
      authority: AUTHORITY,
    })
  })

  it('with a pasted certificate and key sends every line once, and neither stands on the page afterwards', async () => {
    const { host, person } = await form({ identity: { certificate: pasted, key: pasted } })
    await person.selectOptions(select('Client certificate'), 'Pasted text')
    await paste(person, /^Text of the certificate/, CERTIFICATE)
    await paste(person, /^Text of the private key/, KEY)
    expect(field(/^Text of the private key/).classList).toContain('dots')
    expect(everything()).toContain('pl4nted')
    await person.click(button('Continue to review'))
    await settle()
    expect(screen.getByRole('dialog').textContent).toContain('Pasted text, kept in the keyring')
    expect(everything()).not.toContain('pl4nted')
    await person.click(button('Add, leave off'))
    await settle()
    expect(drafted(askedFor<{ draft: ServerDraft }>(host, 'add_server')[0]?.draft)).toEqual({
      ...address,
      certificate: { kind: 'pasted', text: CERTIFICATE },
      key: { kind: 'pasted', text: KEY },
    })
    await person.click(button('More actions'))
    await person.click(await screen.findByRole('menuitem', { name: 'Edit…' }))
    await settle()
    expect(select('Client certificate')).toHaveProperty('value', 'kept')
    await person.selectOptions(select('Client certificate'), 'Pasted text')
    expect(everything()).not.toContain('pl4nted')
  })

  it('without a keyring keeps a pasted key for the session only if the person wants that', async () => {
    const { host, person } = await form()
    host.failNext('add_server', 'keyring_missing')
    await person.selectOptions(select('Client certificate'), 'Pasted text')
    await paste(person, /^Text of the certificate/, CERTIFICATE)
    await paste(person, /^Text of the private key/, KEY)
    await add(person)
    await person.click(button('Keep for this session only'))
    await settle()
    expect(
      askedFor<{ draft: ServerDraft }>(host, 'add_server').map(({ draft }) => draft.keep),
    ).toEqual(['keyring', 'session'])
  })

  it('with a certificate that lacks its key says so before anything is kept', async () => {
    const { host, person } = await form(
      {},
      { review_draft: failing(hostError('bad_setting', 'They belong together.')) },
    )
    await person.selectOptions(select('Client certificate'), 'From a file')
    await person.type(field(/^File of the certificate/), '/home/ada/ada.pem')
    await person.click(button('Continue to review'))
    await settle()
    expect(screen.getByRole('alert').textContent).toContain('A setting cannot be used')
    expect(askedFor(host, 'add_server')).toEqual([])
  })
})

describe('editing a server', () => {
  const before = {
    kind: 'http',
    url: 'https://inside.example/mcp',
    headers: [],
    ...KEPT,
  } satisfies Launch

  async function form() {
    const world = fullWorld()
    world.servers.find(({ id }) => id === 'issues-remote')!.launch = before
    world.launches['issues-remote'] = reviewOf('issues-remote', before)
    const opened = await open(Servers, world, '#/servers/issues-remote', {
      edit_server: server(world, 'issues-remote'),
    })
    await opened.person.click(button('More actions'))
    await opened.person.click(await screen.findByRole('menuitem', { name: 'Edit…' }))
    await settle()
    return opened
  }

  async function save({ host, person }: Awaited<ReturnType<typeof form>>): Promise<unknown> {
    await person.click(button('Save'))
    await settle()
    return drafted(askedFor<{ draft: ServerDraft }>(host, 'edit_server')[0]?.draft)
  }

  const address = { kind: 'http', url: before.url, headers: [] }

  it('shows what is kept, and keeps what is left alone', async () => {
    const opened = await form()
    const dialog = screen.getByRole('dialog')
    for (const words of [AUTHORITY.path, '/home/ada/ada.pem', 'Pasted text, kept in the keyring'])
      expect(dialog.textContent).toContain(words)
    expect(await save(opened)).toEqual(address)
  })

  it('says of what is removed that it is none', async () => {
    const opened = await form()
    await opened.person.selectOptions(select('Certificate authority'), 'Remove')
    await opened.person.selectOptions(select('Client certificate'), 'Remove')
    const none = { kind: 'none' }
    expect(await save(opened)).toEqual({
      ...address,
      authority: none,
      certificate: none,
      key: none,
    })
  })

  it('can renew a certificate and leave its key where it is', async () => {
    const opened = await form()
    await opened.person.selectOptions(select('Client certificate'), 'From a file')
    expect(field(/^File of the certificate/).value).toBe('/home/ada/ada.pem')
    await opened.person.clear(field(/^File of the certificate/))
    await opened.person.type(field(/^File of the certificate/), '/home/ada/new.pem')
    const certificate = { kind: 'file', path: '/home/ada/new.pem' }
    expect(await save(opened)).toEqual({ ...address, certificate })
  })

  it('is seen in the details', async () => {
    const opened = await form()
    await opened.person.click(button('Cancel'))
    await opened.person.click(screen.getByRole('tab', { name: 'Details' }))
    await settle()
    for (const words of [AUTHORITY.path, '/home/ada/ada.pem', 'Pasted text, kept in the keyring'])
      expect(page()).toContain(words)
    expect(within(document.body).queryByRole('dialog')).toBeNull()
  })
})
