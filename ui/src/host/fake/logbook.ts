/** What the pretended host does with its log: its head kept elsewhere, and old records moved out. */
import { hostError } from '../error'
import type { FakeHost } from '../fake'
import type { Answers, Params } from '../host'
import type { UnknownCall } from '../types.gen'

type LogMethod = 'export_anchor' | 'check_anchor' | 'compact_log' | 'note_unknown'

/** A picture in place of a QR code: squares by the bits of the text. */
function qrOf(text: string): string {
  const side = 29
  const squares: string[] = []
  const corner = (x: number, y: number): string => `M${x} ${y}h7v7h-7zM${x + 1} ${y + 1}v5h5v-5zM${x + 2} ${y + 2}h3v3h-3z`
  for (let at = 0; at < side * side; at += 1) {
    const [x, y] = [at % side, Math.floor(at / side)]
    const inCorner = (x < 8 || x > side - 9) && (y < 8 || (y > side - 9 && x < 8))
    if (!inCorner && ((text.charCodeAt(at % text.length) * (at + 7)) >> 3) % 2 === 0) squares.push(`M${x} ${y}h1v1h-1z`)
  }
  const path = [corner(0, 0), corner(side - 7, 0), corner(0, side - 7), ...squares].join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 ${side + 8} ${side + 8}" shape-rendering="crispEdges"><path fill="#fff" d="M-4-4h${side + 8}v${side + 8}H-4z"/><path fill-rule="evenodd" d="${path}"/></svg>`
}

/** Answers the requests about the log as a whole. An anchor says `rolled-back`, `differs`, `moved-out` or `other` where it shall not fit. */
export function logHandlers(host: FakeHost): { [M in LogMethod]: (params: Params<M>) => Answers[M] } {
  return {
    export_anchor: () => {
      const seq = host.world.activity[0]?.row.seq ?? 0
      const at = Date.now()
      const text = `majordomo-anchor:1:${seq}:${at}:9c1f6a0be2d44a6f8f0f5f1f0c7a3f2c9c1f6a0be2d44a6f8f0f5f1f0c7a3f2c:MEQCIF8mQmFqZG9tby1zYW1wbGUtc2lnbmF0dXJl`
      return { text, qr: qrOf(text), file_name: `majordomo-anchor-${seq}.txt`, seq, at }
    },
    check_anchor: ({ text }) => {
      const [name, , seq, at] = text.trim().split(':')
      if (name !== 'majordomo-anchor') throw hostError('bad_anchor', 'This is not an anchor.')
      const records = host.world.activity[0]?.row.seq ?? 0
      if (text.includes('rolled-back')) return { kind: 'rolled_back', anchor: records + 212, records }
      if (text.includes('differs')) return { kind: 'differs', seq: 412 }
      if (text.includes('moved-out')) return { kind: 'moved_out', seq: 40, first: 241 }
      if (text.includes('other')) return { kind: 'other_log' }
      return { kind: 'continues', seq: Number(seq), at: Number(at), since: Math.max(0, records - Number(seq)) }
    },
    compact_log: ({ before }) => {
      const kept = host.world.activity.filter(({ row }) => row.at >= before)
      const records = (host.world.activity.length - kept.length) * 2
      host.world.activity = kept
      const first = kept.at(-1)?.row.seq ?? 1
      return { records, file: records === 0 ? null : '/home/ada/.local/share/majordomo/log/archive', first }
    },
    note_unknown: ({ call }) => {
      if (!host.world.unknown.some((other) => other.call === call)) throw hostError('unknown_call', 'This call is known.')
      host.world.unknown = host.world.unknown.filter((other) => other.call !== call)
      host.tell({ kind: 'unknown_changed', unknown: host.world.unknown })
      return null
    },
  }
}

/** Calls of which nobody knows what became of them. */
export function sampleUnknown(): UnknownCall[] {
  const at = Date.UTC(2026, 10, 21, 9, 12)
  return [
    { call: 'call-0000000000000988', caller: { kind: 'window' }, server: 'files', tool: 'list_directory', sent_at: at, arguments: { path: '/home/ada/Documents/6' } },
    { call: 'call-00000000000000d2', caller: { kind: 'terminal' }, server: 'shipping', tool: 'place_shipping_order', sent_at: at - 5_400_000, arguments: { num_containers: 4, destination: 'Rotterdam' } },
  ]
}
