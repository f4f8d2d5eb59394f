/** What a draft would run, as the pretended host sees it. Values of secrets are dropped here. */
import { hostError } from '../error'
import type { DraftSetting, DraftTarget, Fingerprint, HostInfo, Launch, Review, ReviewWarning, ServerDraft, Setting } from '../types.gen'
import { certificatesOf, pastedTexts } from './certificates'

/** A stand-in for a fingerprint: equal values have equal ones. */
export function fakeFingerprint(value: unknown): Fingerprint {
  let hash = 2166136261
  // Of a secret the name counts, never where it lies.
  const canonical = JSON.stringify(value, (key, part: unknown) => (key === 'secret' ? undefined : part))
  for (const character of canonical) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619)
  return `sha256:${(hash >>> 0).toString(16).padStart(8, '0').repeat(8)}`
}

/** The launch of a draft; `secretId` numbers its secrets. Certificates that it does not name stay as they were `before`. */
export function launchOf(target: DraftTarget, secretId: () => string, before?: Launch): Launch {
  const kept = (settings: DraftSetting[]): Setting[] =>
    settings.map(({ name, value }) => ({
      name,
      value: value.kind === 'plain' ? { kind: 'plain', text: value.text } : { kind: 'secret', secret: secretId() },
    }))
  if (target.kind === 'http') return { kind: 'http', url: target.url, headers: kept(target.headers), ...certificatesOf(target, secretId, before) }
  return { kind: 'stdio', command: target.command, args: target.args, env: kept(target.env), cwd: target.cwd }
}

const DANGERS: ReviewWarning['kind'][] = ['inline_code', 'more_rights', 'whole_computer', 'dangerous_environment']

/** The review of a launch. */
export function reviewOf(name: string, launch: Launch): Review {
  const stdio = launch.kind === 'stdio' ? launch : null
  const warnings = warningsOf(launch)
  const dangers = warnings.filter((warning) => DANGERS.includes(warning.kind))
  const resolved = stdio && (stdio.command.startsWith('/') ? stdio.command : `/usr/bin/${stdio.command}`)
  return {
    name,
    launch,
    resolved: launch.kind === 'builtin' ? '/usr/lib/majordomo/majordomoctl' : resolved,
    cwd: launch.kind === 'http' ? null : (stdio?.cwd ?? '/home/ada'),
    inherited: launch.kind === 'http' ? [] : ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'],
    warnings: [...dangers, ...warnings.filter((warning) => !dangers.includes(warning))],
    dangers: dangers.length,
    fingerprint: fakeFingerprint(launch),
    identity: { unread: [] },
    changes: [],
  }
}

function warningsOf(launch: Launch): ReviewWarning[] {
  if (launch.kind !== 'stdio') return []
  const warnings: ReviewWarning[] = []
  if (/^(npx|uvx|pipx)$/.test(launch.command)) warnings.push({ kind: 'downloads' })
  if (/^(sh|bash|cmd|powershell)$/.test(launch.command)) warnings.push({ kind: 'inline_code' })
  if (/^(sudo|doas)$/.test(launch.command)) warnings.push({ kind: 'more_rights' })
  launch.args.forEach((argument, index) => {
    if (/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]|^\s|\s$/.test(argument)) {
      warnings.push({ kind: 'hidden_characters', place: `argument ${index + 1}` })
    }
  })
  for (const { name, value } of launch.env) {
    if (name === 'LD_PRELOAD' || name === 'NODE_OPTIONS') warnings.push({ kind: 'dangerous_environment', name })
    if (value.kind === 'plain' && /(KEY|TOKEN|SECRET|PASSWORD)$/i.test(name)) warnings.push({ kind: 'looks_secret', name })
  }
  return warnings
}

/** Refuses new secrets that cannot be kept: without a keyring, or too short to be covered in texts. */
export function needKeyring(info: HostInfo, draft: ServerDraft): void {
  const settings = draft.target.kind === 'stdio' ? draft.target.env : draft.target.headers
  const values = settings.flatMap(({ value }) => (value.kind === 'new_secret' ? [value.value] : []))
  if (draft.target.kind === 'http') values.push(...pastedTexts(draft.target))
  if (values.length > 0 && info.keyring.kind === 'missing' && draft.keep === 'keyring') {
    throw hostError('keyring_missing', 'There is no keyring here.')
  }
  if (values.some((value) => value.length < 6)) throw hostError('secret_too_short', 'A secret needs at least 6 characters.')
}
