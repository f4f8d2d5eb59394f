/**
 * Where the references of a schema lead. Pure.
 *
 * Always true here: a reference leads to a part of the same schema, or nowhere; nesting is a stranger's choice: nothing here
 * calls itself.
 */
import { isObject, read, type JsonObject } from './formValue'

/**
 * The parts of a schema that a reference may lead to; several where an anchor stands in several places, none where it leads
 * out of the schema, or to what is not there.
 */
export function follow(reference: string, root: JsonObject): JsonObject[] {
  if (reference === '' || reference === '#') return [root]
  if (!reference.startsWith('#')) return []
  const fragment = decoded(reference.slice(1))
  if (!fragment.startsWith('/')) return anchorsOf(root).get(fragment) ?? []
  const path = fragment
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const target = read(root, path)
  // A part that is `true` holds for anything, as one that says nothing does.
  if (typeof target === 'boolean') return [{}]
  return isObject(target) ? [target] : []
}

const ANCHORS = new WeakMap<JsonObject, Map<string, JsonObject[]>>()

function anchorsOf(root: JsonObject): Map<string, JsonObject[]> {
  const known = ANCHORS.get(root)
  if (known !== undefined) return known
  const found = new Map<string, JsonObject[]>()
  const open: unknown[] = [root]
  while (open.length > 0) {
    const part = open.pop()
    if (typeof part !== 'object' || part === null) continue
    for (const inner of Object.values(part) as unknown[]) open.push(inner)
    if (!isObject(part)) continue
    for (const name of new Set([part['$anchor'], part['$dynamicAnchor']])) {
      if (typeof name !== 'string') continue
      const others = found.get(name)
      if (others) others.push(part)
      else found.set(name, [part])
    }
  }
  ANCHORS.set(root, found)
  return found
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
