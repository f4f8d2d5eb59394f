/** What a person attaches to what they say. Pure, but for the reading of files. */
import { BOUNDS, type Content, type NewAttachment } from '../../host/types.gen'
import { bytesIn } from '../../kit/media'

/** A pasted text of more characters than these is attached: it is material, and hardly the person's own words. */
export const LONGEST_PASTED = 1_000

/** How the pictures that can be drawn begin, in base64. */
const PICTURES = {
  iVBORw0KGgo: 'image/png',
  '/9j/': 'image/jpeg',
  R0lGOD: 'image/gif',
  UklGR: 'image/webp',
} as const

/** Whether this is more than can be said at once. */
export function isTooLong(text: string): boolean {
  if (text.length > BOUNDS.text) return true
  // No character takes more than three bytes for each of its units.
  return text.length * 3 > BOUNDS.text && new TextEncoder().encode(text).length > BOUNDS.text
}

/** A file, to be attached. */
export async function fileAttachment(file: File): Promise<NewAttachment> {
  return { name: file.name, data: base64(new Uint8Array(await file.arrayBuffer())) }
}

/** A text, to be attached by this name. */
export function textAttachment(name: string, text: string): NewAttachment {
  return { name, data: base64(new TextEncoder().encode(text)) }
}

/** What was attached before by this name, to be attached again. */
export function attachedAgain(name: string, content: Content[]): NewAttachment[] {
  return content.flatMap((part) => {
    const data = dataOf(part)
    return data === null ? [] : [{ name, data }]
  })
}

function dataOf(part: Content): string | null {
  if (part.kind === 'text') return textAttachment('', part.text).data
  return part.kind === 'image' ? part.data : null
}

/** An address of a picture that can be drawn; null of anything else. */
export function pictureAddress(data: string): string | null {
  const found = Object.entries(PICTURES).find(([head]) => data.startsWith(head))
  return found === undefined ? null : `data:${found[1]};base64,${data}`
}

const pasted = new WeakSet<NewAttachment>()

/** A text that was pasted, to be attached by this name. */
export function pastedAttachment(name: string, text: string): NewAttachment {
  const attachment = textAttachment(name, text)
  pasted.add(attachment)
  return attachment
}

/** Whether it is a text that was pasted: it may be the person's own. */
export function isPasted(attachment: NewAttachment): boolean {
  return pasted.has(attachment)
}

/** The text of what was pasted. */
export function textOf({ data }: NewAttachment): string {
  return new TextDecoder().decode(Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)))
}

/** How many bytes are attached in all. */
export function bytesOf(attachments: NewAttachment[]): number {
  return attachments.reduce((all, { data }) => all + bytesIn(data), 0)
}

/** So many bytes are written at once: more are too many arguments. */
const AT_ONCE = 0x8000

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE))
  return btoa(text)
}
