/**
 * Decides which pictures and sounds that came as Base64 may be shown, and how large they are.
 *
 * Always true here: only what the bytes themselves show to be one of a few inert kinds gets an address, and that address is
 * a `data:` one; nothing is ever fetched.
 */

export type Media =
  | { ok: true; url: string; bytes: number }
  | { ok: false; why: 'kind' | 'size' | 'damaged'; bytes: number }

const LARGEST_IMAGE = 16 * 1024 * 1024
const LARGEST_AUDIO = 32 * 1024 * 1024

/** How each kind begins. */
const IMAGES: Record<string, (head: string) => boolean> = {
  'image/png': (head) => head.startsWith('\x89PNG\r\n\x1a\n'),
  'image/jpeg': (head) => head.startsWith('\xff\xd8\xff'),
  'image/gif': (head) => head.startsWith('GIF87a') || head.startsWith('GIF89a'),
  'image/webp': (head) => head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP',
}

const AUDIO = new Set([
  'audio/wav',
  'audio/x-wav',
  'audio/wave',
  'audio/mpeg',
  'audio/mp3',
  'audio/ogg',
  'audio/webm',
  'audio/flac',
  'audio/aac',
  'audio/mp4',
])

/** A picture: PNG, JPEG, GIF or WebP, by its bytes. SVG is not among them: it is a document that can load and run things. */
export function imageOf(data: string, mimeType: string): Media {
  const bytes = bytesIn(data)
  const kind = kindOf(mimeType)
  const begins = Object.hasOwn(IMAGES, kind) ? IMAGES[kind] : undefined
  if (begins === undefined) return { ok: false, why: 'kind', bytes }
  if (bytes > LARGEST_IMAGE) return { ok: false, why: 'size', bytes }
  if (!isBase64(data) || !begins(atob(data.slice(0, 16))))
    return { ok: false, why: 'damaged', bytes }
  return { ok: true, url: `data:${kind};base64,${data}`, bytes }
}

/** A sound of a kind that players know. */
export function audioOf(data: string, mimeType: string): Media {
  const bytes = bytesIn(data)
  const kind = kindOf(mimeType)
  if (!AUDIO.has(kind)) return { ok: false, why: 'kind', bytes }
  if (bytes > LARGEST_AUDIO) return { ok: false, why: 'size', bytes }
  if (!isBase64(data)) return { ok: false, why: 'damaged', bytes }
  return { ok: true, url: `data:${kind};base64,${data}`, bytes }
}

/** How many bytes a Base64 text stands for. */
export function bytesIn(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding)
}

function kindOf(mimeType: string): string {
  return mimeType.split(';', 1)[0]?.trim().toLowerCase().replace('image/jpg', 'image/jpeg') ?? ''
}

function isBase64(data: string): boolean {
  return data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
}
