/**
 * The certificates of a server with an address: an authority that is trusted there, and who we are to it.
 *
 * Always true here: what is left alone is not sent, and what is not sent is kept; a pasted text that the host keeps is not in
 * the form.
 */
import type { DraftPem, DraftTarget, HttpLaunch, PemPlace } from '../../host/types.gen'

/** Where a text in PEM form comes from: what is there already, nowhere, a file, or what is pasted. */
export type Way = 'kept' | 'none' | 'file' | 'pasted'

/** One text in PEM form. */
export interface PemForm {
  path: string
  text: string
  /** What the host has already. */
  kept: PemPlace | null
}

/** The certificates as filled in. */
export interface CertificatesForm {
  authority: { way: Way; pem: PemForm }
  /** A certificate and its key belong together, so they come the same way. */
  identity: { way: Way; certificate: PemForm; key: PemForm }
}

/** The certificates of a kept server; of a new one, which has none. */
export function certificatesOf({
  authority,
  identity,
}: Pick<HttpLaunch, 'authority' | 'identity'> = {}): CertificatesForm {
  return {
    authority: { way: authority ? 'kept' : 'none', pem: pemOf(authority) },
    identity: {
      way: identity ? 'kept' : 'none',
      certificate: pemOf(identity?.certificate),
      key: pemOf(identity?.key),
    },
  }
}

function pemOf(kept: PemPlace | null = null): PemForm {
  return { path: kept?.kind === 'file' ? kept.path : '', text: '', kept }
}

/** The ways to choose from: only what is there can be kept. */
export function waysFor(kept: boolean): Way[] {
  return kept ? ['kept', 'file', 'pasted', 'none'] : ['none', 'file', 'pasted']
}

/** What is sent to the host. */
export function certificatesDraft({
  authority,
  identity,
}: CertificatesForm): Pick<
  Extract<DraftTarget, { kind: 'http' }>,
  'authority' | 'certificate' | 'key'
> {
  return {
    authority: pemDraft(authority.way, authority.pem),
    certificate: pemDraft(identity.way, identity.certificate),
    key: pemDraft(identity.way, identity.key),
  }
}

function pemDraft(way: Way, { path, text, kept }: PemForm): DraftPem | undefined {
  if (way === 'kept') return undefined
  if (way === 'none') return kept ? { kind: 'none' } : undefined
  // A certificate that is renewed can keep its key: the line that is left empty says that it stays.
  if (kept && (way === 'file' ? path : text) === '') return undefined
  return way === 'file' ? { kind: 'file', path } : { kind: 'pasted', text }
}

/** Empties what was pasted. */
export function forgetPasted({ authority, identity }: CertificatesForm): void {
  for (const pem of [authority.pem, identity.certificate, identity.key]) pem.text = ''
}
