/**
 * Recognises form fields under which a server would collect what it must never ask for.
 *
 * The host refuses such forms before they get here; this is the second lock on the same door.
 */
import { fieldsOf, type Field, type Schema } from '../../kit/form/schemaForm'
import { soundsSecret } from '../../kit/form/secretWords'

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
  return soundsSecret(field.name, field.label, format)
}
