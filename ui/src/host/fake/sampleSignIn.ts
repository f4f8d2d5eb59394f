/** Sample states of signing in. Values are invented. */
import type { DoctorStep, SignInStatus, SignInView } from '../types.gen'

const ISSUER = 'https://login.example.com'
/** Where the pretended browser is sent. */
export const SIGN_IN_URL = `${ISSUER}/authorize?response_type=code&client_id=majordomo&redirect_uri=http%3A%2F%2F127.0.0.1%3A41001%2Fcallback&scope=read+write&state=af0ifjsldkj&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256`

/** A sign-in in this state, with one account. */
export function signInView(state: SignInStatus, more: Partial<SignInView> = {}): SignInView {
  return { state, account: 'default', accounts: ['default'], client: null, ...more }
}

/** What the doctor found, with an outcome of every kind. */
export const STEPS: DoctorStep[] = [
  {
    what: 'challenge',
    url: 'https://mcp.example.com/v1/mcp',
    ok: true,
    problem: null,
    detail: 'HTTP 401 with WWW-Authenticate',
  },
  { what: 'resource_metadata_named', url: null, ok: false, problem: 'none_named', detail: null },
  {
    what: 'resource_metadata_path',
    url: 'https://mcp.example.com/.well-known/oauth-protected-resource/v1/mcp',
    ok: true,
    problem: null,
    detail: null,
  },
  { what: 'resource_metadata_root', url: null, ok: null, problem: null, detail: null },
  {
    what: 'metadata_oauth_path',
    url: 'https://login.example.com/.well-known/oauth-authorization-server',
    ok: false,
    problem: 'http_status',
    detail: 'HTTP 503',
  },
  {
    what: 'pkce_advertised',
    url: null,
    ok: false,
    problem: 'no_pkce',
    detail: 'code_challenge_methods_supported is absent',
  },
]
