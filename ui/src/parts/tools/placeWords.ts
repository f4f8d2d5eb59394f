/** Where in a result something was found, in words. */
import { m, number } from '../../messages'
import { revealed } from '../../kit/visible'

/** The place of a JSON pointer into a result; nothing where the result has one part only and it lies there. */
export function placeWords(at: string, parts: number): string | undefined {
  const [, root, ...rest] = at
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (root === 'content')
    return parts > 1 ? m('answer.place.part', { n: number(Number(rest[0]) + 1) }) : undefined
  if (root !== 'structured') return undefined
  return rest.length === 0
    ? m('answer.place.structured')
    : m('answer.place.structured_at', { path: revealed(rest.join(' / ')) })
}
