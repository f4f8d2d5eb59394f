/** Samples of what a log holds beside its rows: its head kept elsewhere, and calls whose outcome nobody knows. */
import { TERMINAL, WINDOW } from './callers'
import type { AnchorExport, UnknownCall } from '../types.gen'

/** A picture in place of a QR code: squares by the bits of the text. */
function qrOf(text: string): string {
  const side = 29
  const squares: string[] = []
  const corner = (x: number, y: number): string =>
    `M${x} ${y}h7v7h-7zM${x + 1} ${y + 1}v5h5v-5zM${x + 2} ${y + 2}h3v3h-3z`
  for (let at = 0; at < side * side; at += 1) {
    const [x, y] = [at % side, Math.floor(at / side)]
    const inCorner = (x < 8 || x > side - 9) && (y < 8 || (y > side - 9 && x < 8))
    if (!inCorner && ((text.charCodeAt(at % text.length) * (at + 7)) >> 3) % 2 === 0)
      squares.push(`M${x} ${y}h1v1h-1z`)
  }
  const path = [corner(0, 0), corner(side - 7, 0), corner(0, side - 7), ...squares].join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 ${side + 8} ${side + 8}" shape-rendering="crispEdges"><path fill="#fff" d="M-4-4h${side + 8}v${side + 8}H-4z"/><path fill-rule="evenodd" d="${path}"/></svg>`
}

const TEXT =
  'majordomo-anchor:1:1000:1795254600000:9c1f6a0be2d44a6f8f0f5f1f0c7a3f2c9c1f6a0be2d44a6f8f0f5f1f0c7a3f2c:MEQCIF8mQmFqZG9tby1zYW1wbGUtc2lnbmF0dXJl'

/** Where the log ends, to be kept elsewhere. */
export const ANCHOR: AnchorExport = {
  text: TEXT,
  qr: qrOf(TEXT),
  file_name: 'majordomo-anchor-1000.txt',
  seq: 1000,
  at: 1_795_254_600_000,
}

/** Calls of which nobody knows what became of them. */
export function sampleUnknown(): UnknownCall[] {
  const at = Date.UTC(2026, 10, 21, 9, 12)
  return [
    {
      call: 'call-0000000000000988',
      caller: WINDOW,
      server: 'files',
      tool: 'list_directory',
      sent_at: at,
      arguments: { path: '/home/ada/Documents/6' },
    },
    {
      call: 'call-00000000000000d2',
      caller: TERMINAL,
      server: 'shipping',
      tool: 'place_shipping_order',
      sent_at: at - 5_400_000,
      arguments: { num_containers: 4, destination: 'Rotterdam' },
    },
  ]
}
