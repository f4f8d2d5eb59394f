/** Signing in, as the pretended host does it: the browser is never opened, and pasting any address ends it. */
import { hostError } from '../error'
import type { FakeHost } from '../fake'
import type { Answers, Params } from '../host'
import type { DoctorStep, ServerId, ServerView, SignInState, SignInView } from '../types.gen'

type SignInMethod = 'sign_in' | 'finish_sign_in' | 'cancel_sign_in' | 'sign_out' | 'use_account' | 'set_client' | 'diagnose'

const ISSUER = 'https://login.example.com'
/** Where the pretended browser is sent. */
export const SIGN_IN_URL = `${ISSUER}/authorize?response_type=code&client_id=majordomo&redirect_uri=http%3A%2F%2F127.0.0.1%3A41001%2Fcallback&scope=read+write&state=af0ifjsldkj&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256`

/** A sign-in in this state, with one account. */
export function signInView(state: SignInState, more: Partial<SignInView> = {}): SignInView {
  return { state, account: 'default', accounts: ['default'], client: null, ...more }
}

/** The handlers of these requests. */
export function signInHandlers(host: FakeHost): { [M in SignInMethod]: (params: Params<M>) => Answers[M] } {
  const now = (id: ServerId): SignInView => {
    const view = host.world.servers.find((server) => server.id === id)?.sign_in
    if (!view) throw hostError('not_offered', `${id} has no address to sign in at.`)
    return view
  }
  const put = (id: ServerId, more: Partial<SignInView>): ServerView => host.change(id, { sign_in: { ...now(id), ...more } })
  return {
    sign_in: ({ server }) => put(server, { state: { kind: 'waiting', url: SIGN_IN_URL } }),
    finish_sign_in: ({ server, url }) => {
      if (!/^https?:\/\/\S+[?&]code=/.test(url)) throw hostError('sign_in_forged', 'This address holds no answer of this sign-in.')
      return put(server, { state: { kind: 'signed_in', issuer: ISSUER, scopes: ['read', 'write'], expires_at: Date.now() + 3_600_000 } })
    },
    cancel_sign_in: ({ server }) => put(server, { state: { kind: 'signed_out' } }),
    sign_out: ({ server, account }) => {
      const view = now(server)
      const gone = account ?? view.account
      const accounts = view.accounts.filter((other) => other !== gone)
      return put(server, gone === view.account ? { state: { kind: 'signed_out' }, accounts, account: accounts[0] ?? 'default' } : { accounts })
    },
    use_account: ({ server, account }) => {
      const view = now(server)
      return put(server, { account, accounts: [...new Set([...view.accounts, account])], state: { kind: 'signed_out' } })
    },
    set_client: ({ server, client }) =>
      put(server, {
        client: client && { client_id: client.client_id, has_secret: client.client_secret !== null || (now(server).client?.has_secret ?? false), without_person: client.without_person },
      }),
    diagnose: ({ server }) => ({ server, steps: STEPS }),
  }
}

const STEPS: DoctorStep[] = [
  { what: 'challenge', url: 'https://mcp.example.com/v1/mcp', ok: true, problem: null, detail: 'HTTP 401 with WWW-Authenticate' },
  { what: 'resource_metadata_named', url: null, ok: false, problem: 'none_named', detail: null },
  { what: 'resource_metadata_path', url: 'https://mcp.example.com/.well-known/oauth-protected-resource/v1/mcp', ok: true, problem: null, detail: null },
  { what: 'resource_metadata_root', url: null, ok: null, problem: null, detail: null },
  { what: 'metadata_oauth_path', url: 'https://login.example.com/.well-known/oauth-authorization-server', ok: false, problem: 'http_status', detail: 'HTTP 503' },
  { what: 'pkce_advertised', url: null, ok: false, problem: 'no_pkce', detail: 'code_challenge_methods_supported is absent' },
]
