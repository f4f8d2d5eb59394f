/**
 * Recognises form fields under which a server would collect what it must never ask for.
 *
 * The host refuses such forms before they get here; this is the second lock on the same door.
 */
import { fieldsOf, type Field, type Schema } from '../../kit/form/schemaForm'

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

/** The labels of fields that ask for a secret. */
export function secretFields(schema: Schema): string[] {
  return fieldsOf(schema)
    .filter(isSecret)
    .map((field) => field.label)
}

function isSecret(field: Field): boolean {
  const format = field.shape.kind === 'text' ? (field.shape.format ?? '') : ''
  // A choice or a switch cannot carry a secret.
  if (
    field.shape.kind === 'boolean' ||
    field.shape.kind === 'choice' ||
    field.shape.kind === 'choices'
  )
    return false
  const said = [field.name, field.label, format].map(spaced).join(' ')
  return (
    WORDS.some((word) => said.includes(word)) || said.split(' ').some((word) => WHOLE.has(word))
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
