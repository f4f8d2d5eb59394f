/** The certificates of a draft, as the pretended host keeps them: of a pasted text only that there is one. */
import { hostError } from '../error'
import type { DraftPem, DraftTarget, HttpLaunch, Launch, PemPlace } from '../types.gen'

type Drafted = Extract<DraftTarget, { kind: 'http' }>

/** The certificates of a launch; what the draft does not name stays as it was `before`. */
export function certificatesOf(draft: Drafted, secretId: () => string, before?: Launch): Pick<HttpLaunch, 'authority' | 'identity'> {
  const was = before?.kind === 'http' ? before : null
  const place = (pem: DraftPem | undefined, kept: PemPlace | undefined): PemPlace | undefined => {
    if (pem === undefined) return kept
    if (pem.kind === 'none') return undefined
    return pem.kind === 'file' ? fileAt(pem.path) : pasted(pem.text, secretId)
  }
  const authority = place(draft.authority, was?.authority)
  const certificate = place(draft.certificate, was?.identity?.certificate)
  const key = place(draft.key, was?.identity?.key)
  if (Boolean(certificate) !== Boolean(key)) throw hostError('bad_setting', 'A client certificate and its key belong together.')
  return { ...(authority && { authority }), ...(certificate && key && { identity: { certificate, key } }) }
}

function fileAt(path: string): PemPlace {
  if (!/^(\/|[A-Za-z]:\\)/.test(path)) throw hostError('bad_setting', `The path of a certificate is not absolute: ${JSON.stringify(path)}`)
  return { kind: 'file', path }
}

function pasted(text: string, secretId: () => string): PemPlace {
  if (!text.includes('-----BEGIN')) throw hostError('bad_setting', 'This is not a text in PEM form; one begins with -----BEGIN.')
  return { kind: 'secret', secret: secretId() }
}

/** The texts that the keyring would have to keep. */
export function pastedTexts(draft: Drafted): string[] {
  return [draft.authority, draft.certificate, draft.key].flatMap((pem) => (pem?.kind === 'pasted' ? [pem.text] : []))
}
