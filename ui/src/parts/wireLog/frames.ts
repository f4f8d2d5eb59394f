/** Messages between Majordomo and a server, for people. */
import type { FrameView } from '../../host/types.gen'
import { m } from '../../messages'

/** What a message is: its method, or that it answers another. Words of the server are not made visible here. */
export function whatOf(frame: FrameView): string {
  return frame.method ?? m('exchange.answer')
}

/** The text laid out, or as it is if it is no JSON, is cut, or would lose something by being read and written. */
export function laidOut(frame: FrameView): string {
  // Numbers with more digits than a double holds would come out changed.
  if (frame.cut || /\d{16}/.test(frame.text)) return frame.text
  try {
    return JSON.stringify(JSON.parse(frame.text), null, 2)
  } catch {
    return frame.text
  }
}
