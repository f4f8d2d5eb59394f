/** What a plain browser can do of the system's dialogs. */
import type { PickedFile } from './host'

/** Lets a person pick a text file; `null` if they pick none. */
export function pickTextFile(accept: string): Promise<PickedFile | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = accept
    input.addEventListener('cancel', () => resolve(null))
    input.addEventListener('change', () => {
      const file = input.files?.[0]
      if (!file) resolve(null)
      else void file.text().then((text) => resolve({ name: file.name, text }))
    })
    input.click()
  })
}

/** Saves a text as a download. Where it goes is the browser's affair. */
export function saveAsDownload(fileName: string, text: string): string {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The download has to begin before the address is withdrawn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
  return fileName
}
