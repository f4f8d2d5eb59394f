/** Promises of signing in to a remote server. */
import { cleanup, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { fullWorld } from '../../src/host/fake/sample'
import type { Replies } from '../../src/host/fake'
import { SIGN_IN_URL, signInView, STEPS } from '../../src/host/fake/sampleSignIn'
import type { ServerView, SignInStatus, SignInView } from '../../src/host/types.gen'
import { language } from '../../src/messages'
import Servers from '../../src/views/Servers.svelte'
import { server } from '../replies'
import { askedFor, open, page, settle } from '../support'

const NOTHING = {
  foreign_endpoints: false,
  without_pkce: false,
  legacy_endpoints: false,
  without_keyring: false,
}
const card = () => screen.getByRole('region', { name: 'Sign-in' })
const button = (name: string | RegExp) => screen.getByRole('button', { name })

beforeEach(() => language.choose('en'))
afterEach(cleanup)

/** A server as it stands after something was done about its sign-in. */
const after = (id: string, state: SignInStatus, more: Partial<SignInView> = {}): ServerView =>
  server(fullWorld(), id, { sign_in: signInView(state, more) })
const WAITING: SignInStatus = { kind: 'waiting', url: SIGN_IN_URL }
const SIGNED_IN: SignInStatus = {
  kind: 'signed_in',
  issuer: 'https://login.example.com',
  scopes: ['read'],
  expires_at: null,
}
const SIGNED_OUT: SignInStatus = { kind: 'signed_out' }

async function inState(state: SignInStatus, replies: Replies = {}) {
  const world = fullWorld()
  const remote = world.servers.find((server) => server.id === 'issues-remote')!
  remote.sign_in = signInView(state)
  return open(Servers, world, '#/servers/issues-remote', {
    sign_in: after('issues-remote', WAITING),
    ...replies,
  })
}

test('a server without an address has no sign-in', async () => {
  await open(Servers, fullWorld(), '#/servers/files')
  expect(screen.queryByRole('region', { name: 'Sign-in' })).toBeNull()
})

test('the rights that a server asks for are shown in its words before anyone signs in', async () => {
  const { host, person } = await inState({ kind: 'wanted', scopes: ['read\u200b', 'write'] })
  expect(within(card()).getByRole('img', { name: /U\+200B/ })).toBeTruthy()
  await person.click(button('Sign in'))
  await settle()
  expect(askedFor(host, 'sign_in')).toEqual([{ server: 'issues-remote', approved: NOTHING }])
})

test('an error that only a sign-in helps against leads there', async () => {
  const { host, person } = await inState({ kind: 'signed_out' })
  await person.click(within(screen.getByRole('alert')).getByRole('button', { name: 'Sign in' }))
  await settle()
  expect(askedFor(host, 'sign_in')).toHaveLength(1)
})

describe('while the browser is open', () => {
  it('the whole address is text with its host emphasised, and can be opened again', async () => {
    const { host, person } = await inState(WAITING)
    const address = screen.getByRole('region', { name: 'Address of the sign-in' })
    expect(address.textContent).toBe(SIGN_IN_URL)
    expect(address.querySelector('strong')?.textContent).toBe('login.example.com')
    expect(address.querySelector('a')).toBeNull()
    await person.click(button('Open again'))
    expect(host.opened).toEqual([SIGN_IN_URL])
  })

  it('the address to which the browser was sent back can be pasted', async () => {
    const { host, person } = await inState(WAITING, {
      finish_sign_in: after('issues-remote', SIGNED_IN),
    })
    await person.click(screen.getByLabelText(/did the browser not come back/i))
    await person.paste(' http://127.0.0.1:41001/callback?code=abc&state=x ')
    await person.click(button('Finish'))
    await settle()
    expect(askedFor(host, 'finish_sign_in')).toEqual([
      { server: 'issues-remote', url: 'http://127.0.0.1:41001/callback?code=abc&state=x' },
    ])
    expect(page()).toContain('Signed in')
    expect(page()).not.toContain('code=abc')
  })

  it('an address that is no answer says so, and is not kept', async () => {
    const { host, person } = await inState(WAITING)
    host.failNext('finish_sign_in', 'sign_in_forged')
    await person.type(
      screen.getByLabelText(/did the browser not come back/i),
      'https://x.example/{Enter}',
    )
    await settle()
    expect(screen.getByRole('alert').textContent).toContain(
      'This answer belongs to another sign-in',
    )
    expect(screen.getByLabelText<HTMLInputElement>(/did the browser not come back/i).value).toBe('')
  })

  it('waiting can be stopped', async () => {
    const { host, person } = await inState(WAITING, {
      cancel_sign_in: after('issues-remote', SIGNED_OUT),
    })
    await person.click(button('Stop waiting'))
    await settle()
    expect(askedFor(host, 'cancel_sign_in')).toEqual([{ server: 'issues-remote' }])
    expect(page()).toContain('Not signed in')
  })
})

test('who vouches, for what and until when is said, and signing out is one click', async () => {
  const { host, person } = await inState(SIGNED_IN, {
    sign_out: after('issues-remote', SIGNED_OUT),
  })
  for (const words of ['https://login.example.com', 'read', 'Not said; it is renewed when needed.'])
    expect(card().textContent).toContain(words)
  await person.click(button('Sign out'))
  await settle()
  expect(askedFor(host, 'sign_out')).toEqual([{ server: 'issues-remote', account: null }])
})

describe('a sign-in that did not work', () => {
  it('shows what can be approved, each with its warning, and nothing is approved beforehand', async () => {
    const { host, person } = await open(Servers, fullWorld(), '#/servers/wiki', {
      sign_in: after('wiki', WAITING),
    })
    expect(page()).toContain('tokens.example.net')
    const boxes = screen.getAllByRole<HTMLInputElement>('checkbox')
    expect(boxes.map((box) => box.checked)).toEqual([false, false, false, false])
    for (const box of boxes)
      expect(
        document.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent,
      ).toBeTruthy()
    await person.click(screen.getByRole('checkbox', { name: 'Use the addresses elsewhere' }))
    await person.click(button('Try again'))
    await settle()
    expect(askedFor(host, 'sign_in')).toEqual([
      { server: 'wiki', approved: { ...NOTHING, foreign_endpoints: true } },
    ])
  })

  it('offers only what would help', async () => {
    const error = {
      code: 'sign_in_unprotected' as const,
      message: 'no PKCE',
      refusal: null,
    }
    await inState({ kind: 'failed', error, approvable: { ...NOTHING, without_pkce: true } })
    expect(screen.getAllByRole('checkbox')).toHaveLength(1)
  })

  it('for want of a keyring can go on with tokens that are gone when the application ends', async () => {
    const error = {
      code: 'keyring_missing' as const,
      message: 'no Secret Service',
      refusal: null,
    }
    const { host, person } = await inState({
      kind: 'failed',
      error,
      approvable: { ...NOTHING, without_keyring: true },
    })
    const box = screen.getByRole('checkbox', { name: 'Sign in for this session only' })
    expect(
      document.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent,
    ).toContain('gone when it ends')
    await person.click(box)
    await person.click(button('Try again'))
    await settle()
    expect(askedFor(host, 'sign_in')).toEqual([
      { server: 'issues-remote', approved: { ...NOTHING, without_keyring: true } },
    ])
  })

  it('that lacks a client id leads to its form', async () => {
    const error = {
      code: 'client_id_needed' as const,
      message: 'no registration',
      refusal: null,
    }
    const { person } = await inState({ kind: 'failed', error, approvable: null })
    await person.click(button('Enter client id…'))
    await settle()
    expect(screen.getByRole('dialog').textContent).toContain('Client id for issues-remote')
  })
})

describe('the client id', () => {
  async function form(id: string, client: SignInView['client'] = null) {
    const opened = await open(Servers, fullWorld(), `#/servers/${id}`, {
      set_oauth_client: after(id, SIGNED_OUT, { client }),
    })
    await opened.person.click(button('More about the sign-in'))
    await opened.person.click(await screen.findByRole('menuitem', { name: 'Client id…' }))
    await settle()
    return opened
  }

  it('is needed; the secret is typed unseen and goes to the host once', async () => {
    const { host, person } = await form('issues-remote', {
      client_id: 'desk',
      has_secret: true,
      without_person: true,
    })
    await person.click(button('Save'))
    expect(screen.getByRole('dialog').textContent).toContain('This is needed.')
    await person.type(screen.getByRole('textbox', { name: /^Client id/ }), 'desk')
    const secret = screen.getByLabelText<HTMLInputElement>(/^Client secret/)
    expect(secret.type).toBe('password')
    await person.type(secret, 'planted-secret')
    await person.click(screen.getByRole('checkbox', { name: /signs in automatically/ }))
    await person.click(button('Save'))
    await settle()
    expect(askedFor(host, 'set_oauth_client')).toEqual([
      {
        server: 'issues-remote',
        client: {
          client_id: 'desk',
          client_secret: 'planted-secret',
          without_person: true,
          keep: 'keyring',
        },
      },
    ])
    expect(document.body.innerHTML).not.toContain('planted-secret')
    expect(page()).toContain('Majordomo is known there as desk. Majordomo signs in automatically.')
  })

  it('keeps a secret that is not typed anew', async () => {
    const { host, person } = await form('mail')
    await person.click(button('Save'))
    await settle()
    expect(askedFor(host, 'set_oauth_client')).toEqual([
      {
        server: 'mail',
        client: {
          client_id: 'majordomo-desk',
          client_secret: null,
          without_person: false,
          keep: 'keyring',
        },
      },
    ])
  })

  it('can be given up for registering by itself', async () => {
    const { host, person } = await form('mail')
    await person.click(button('Register automatically instead'))
    await settle()
    expect(askedFor(host, 'set_oauth_client')).toEqual([{ server: 'mail', client: null }])
  })

  it('is kept for a session where there is no keyring', async () => {
    const { host, person } = await form('mail')
    host.failNext('set_oauth_client', 'keyring_missing')
    await person.click(button('Save'))
    await settle()
    await person.click(button('Keep for this session only'))
    await settle()
    expect(
      askedFor<{ client: { keep: string } }>(host, 'set_oauth_client').map(
        ({ client }) => client.keep,
      ),
    ).toEqual(['keyring', 'session'])
  })
})

test('accounts are used, added and signed out one by one', async () => {
  const { host, person } = await open(Servers, fullWorld(), '#/servers/mail', {
    use_account: ({ account }) =>
      after('mail', SIGNED_OUT, {
        account,
        accounts: account === 'club' ? ['private', 'work', 'club'] : ['private', 'work'],
      }),
    sign_out: after('mail', SIGNED_OUT, { account: 'club', accounts: ['private', 'club'] }),
  })
  await person.click(button('More about the sign-in'))
  await person.click(await screen.findByRole('menuitem', { name: 'Accounts…' }))
  await settle()
  await person.click(button('Use private'))
  await settle()
  await person.type(screen.getByLabelText('A name for another account'), 'club{Enter}')
  await settle()
  await person.click(button('Sign out work'))
  await settle()
  expect(askedFor(host, 'use_account')).toEqual([
    { server: 'mail', account: 'private' },
    { server: 'mail', account: 'club' },
  ])
  expect(askedFor(host, 'sign_out')).toEqual([{ server: 'mail', account: 'work' }])
})

test('the doctor shows every step with its outcome, its problem and what helps', async () => {
  const { person } = await open(Servers, fullWorld(), '#/servers/wiki', {
    diagnose: { server: 'wiki', steps: STEPS },
  })
  await person.click(button('Look closer…'))
  await settle()
  const steps = within(screen.getByRole('list', { name: 'Steps' })).getAllByRole('listitem')
  expect(steps).toHaveLength(6)
  expect(steps[0]?.textContent).toContain('Went well')
  expect(steps[1]?.textContent).toContain('The server names none.')
  expect(steps[3]?.textContent).toContain('Not needed')
  expect(steps[4]?.textContent).toContain(
    'https://login.example.com/.well-known/oauth-authorization-server',
  )
  expect(steps[5]?.textContent).toContain('Approve it only if you know the service')
})
