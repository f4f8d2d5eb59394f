/** The words under which secrets are asked for, in the languages of this window. Pure. */

const WORDS = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'secret',
  'token',
  'api key',
  'apikey',
  'private key',
  'credential',
  'credit card',
  'card number',
  'cardnumber',
  'cvv',
  'cvc',
  'security code',
  'one time code',
  'otp',
  '密码',
  '口令',
  '密钥',
  '令牌',
  '验证码',
  '卡号',
]
/** Words that are also parts of harmless ones ("pinned", "spin") count only as a whole. */
const WHOLE = new Set(['pin', 'pwd', 'otp', 'cvv', 'cvc', 'card', 'iban', 'ssn'])

/** Whether one of several names or titles is one that a secret has. */
export function soundsSecret(...names: string[]): boolean {
  const said = names.map(spaced).join(' ')
  return WORDS.some((word) => said.includes(word)) || soundsLikeDigits(...names)
}

/** Whether one of them is one that a secret of a few digits has. */
export function soundsLikeDigits(...names: string[]): boolean {
  return names.some((name) =>
    spaced(name)
      .split(' ')
      .some((word) => WHOLE.has(word)),
  )
}

/** `apiKey`, `api_key` and `API-Key` all say "api key". */
function spaced(name: string): string {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
