/** Promises of the log's own page: proof kept elsewhere, and old records moved out only after a yes. */
import { cleanup, screen, within } from '@testing-library/svelte'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { hostError } from '../../src/host/error'
import type { FakeHost, Replies } from '../../src/host/fake'
import { ANCHOR } from '../../src/host/fake/sampleLog'
import type { AnchorCheck, LogReport } from '../../src/host/types.gen'
import { firstMomentAfter, firstMomentOf } from '../../src/kit'
import { reportWords } from '../../src/parts/log/reportText'
import Settings from '../../src/views/Settings.svelte'
import { connected, leave } from '../ours'
import { failing } from '../replies'
import { render } from '../support'

afterEach(() => {
  cleanup()
  leave()
})

async function open(replies: Replies = {}): Promise<{ host: FakeHost; user: UserEvent }> {
  const host = await connected(undefined, replies)
  render(Settings)
  return { host, user: userEvent.setup() }
}

const press = (user: UserEvent, name: string): Promise<void> =>
  user.click(screen.getByRole('button', { name }))

it.each<[LogReport, string, string]>([
  [
    {
      kind: 'intact',
      records: 1200,
      anchor: 'keyring',
      after_anchor: 0,
      first: 1,
      read_from: 1,
      signed: null,
    },
    'info',
    '1,200 records checked. The log’s latest checksum is in the keyring. The log is not signed.',
  ],
  [
    {
      kind: 'intact',
      records: 1,
      anchor: 'keyring',
      after_anchor: 1,
      first: 1,
      read_from: 1,
      signed: null,
    },
    'info',
    '1 record checked. The log’s latest checksum is in the keyring. 1 newer record is chained, but not yet covered by it. The log is not signed.',
  ],
  [
    {
      kind: 'intact',
      records: 2,
      anchor: 'database',
      after_anchor: 0,
      first: 1,
      read_from: 1,
      signed: null,
    },
    'info',
    '2 records checked. There is no keyring, so the log’s latest checksum is in the database only. The log is not signed.',
  ],
  [
    {
      kind: 'intact',
      records: 0,
      anchor: 'nowhere',
      after_anchor: 0,
      first: 1,
      read_from: 1,
      signed: null,
    },
    'info',
    '0 records checked. The log’s latest checksum is stored nowhere else, so a missing end cannot be seen. The log is not signed.',
  ],
  [
    {
      kind: 'intact',
      records: 900,
      anchor: 'keyring',
      after_anchor: 0,
      first: 241,
      read_from: 241,
      signed: { from: 1, sealed: 800, kept: 'keyring', root: 'ed25519:ab' },
    },
    'good',
    '660 records checked. Records before 241 were moved out of it earlier. They are not in the archive beside it, or not all of them, and were not read. The log’s latest checksum is in the keyring. Signed since record 1; records 1–800 can no longer be altered.',
  ],
  [
    {
      kind: 'intact',
      records: 9,
      anchor: 'database',
      after_anchor: 0,
      first: 1,
      read_from: 1,
      signed: { from: 3, sealed: 0, kept: 'memory', root: 'ed25519:ab' },
    },
    'info',
    '9 records checked. There is no keyring, so the log’s latest checksum is in the database only. Signed since record 3; the newest records can still be altered. There is no keyring, so the log gets a new key at each start, and nothing vouches for it. Records before 3 are chained only: there were no keys yet, or they were lost, or somebody has begun with others.',
  ],
  [
    {
      kind: 'intact',
      records: 900,
      anchor: 'keyring',
      after_anchor: 0,
      first: 241,
      read_from: 1,
      signed: { from: 300, sealed: 800, kept: 'keyring', root: 'ed25519:ab' },
    },
    'info',
    '900 records checked. Records before 241 were moved out of it earlier. They are in the archive beside it, and were read as well. The log’s latest checksum is in the keyring. Signed since record 300; records 300–800 can no longer be altered. Records before 300 are chained only: there were no keys yet, or they were lost, or somebody has begun with others.',
  ],
  [
    { kind: 'broken', record: 1017, file: 'log-0002', problem: 'chain broken' },
    'bad',
    'Record 1,017 in log-0002 is the first that does not fit.',
  ],
])('a check of the log says what it found: %o', async (report, tone, text) => {
  await connected()
  expect(reportWords(report)).toMatchObject({ tone, text })
})

it('an anchor is shown as text and as a picture that can run nothing, and saved as a file', async () => {
  const { host, user } = await open({ export_anchor: ANCHOR })
  await press(user, 'Make an anchor')
  const picture = await screen.findByRole<HTMLImageElement>('img', {
    name: 'The anchor as a QR code',
  })
  expect(picture.tagName).toBe('IMG')
  expect(picture.src).toMatch(/^data:image\/svg\+xml/)
  expect(document.querySelector('[viewBox="-4 -4 37 37"]')).toBeNull()
  expect(screen.getByRole('region', { name: 'Anchor' }).textContent).toMatch(/^majordomo-anchor:1:/)
  await press(user, 'Save as a file')
  await screen.findByText(/majordomo-anchor-1000\.txt/)
  expect(host.saved[0]?.text).toMatch(/^majordomo-anchor:1:.*\n$/)
})

it.each<[AnchorCheck, string, string]>([
  [
    { kind: 'continues', seq: 900, at: 1_795_312_800_000, since: 100 },
    'The log continues this anchor',
    '100 records came since',
  ],
  [
    { kind: 'rolled_back', anchor: 1_212, records: 1_000 },
    'The log is older than this anchor',
    'The anchor names record 1,212, and the log ends at 1,000.',
  ],
  [
    { kind: 'differs', seq: 412 },
    'The log is not the one of this anchor any more',
    'Record 412 is another one',
  ],
  [
    { kind: 'moved_out', seq: 40, first: 241 },
    'The records of this anchor were moved out',
    'It names record 40, and the log begins at 241.',
  ],
  [{ kind: 'other_log' }, 'This anchor is of another log', 'another Majordomo'],
])(
  'the log is compared with an anchor, and it is said what that found: %o',
  async (check, ...said) => {
    expect(await compared({ check_anchor: check }, said[0])).toContain(said[1])
  },
)

it('the log is compared with no line that is not an anchor, and that is said', async () => {
  const none = failing(hostError('bad_anchor', 'It is none.'))
  expect(await compared({ check_anchor: none }, 'This is not an anchor')).toContain(
    'Paste the whole line',
  )
})

/** What is said under this title of a line that was pasted. */
async function compared(replies: Replies, title: string): Promise<string> {
  const { host, user } = await open(replies)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Compare' }).disabled).toBe(true)
  await user.type(screen.getByLabelText('The anchor’s line'), ' majordomo-anchor:1:900 ')
  await press(user, 'Compare')
  const notice = (await screen.findByText(title)).closest('.notice')
  expect(host.asked.at(-1)?.params).toEqual({ text: 'majordomo-anchor:1:900' })
  return notice?.textContent ?? ''
}

it('old records are moved out only after it was said what that does', async () => {
  const { host, user } = await open({
    compact_log: { records: 240, file: '/log/archive/1.jsonl', first: 241 },
  })
  const day = screen.getByLabelText('Older than')
  await user.type(day, '2027-01-01')
  expect(document.body.textContent).toContain('This day has not come yet.')
  await user.clear(day)
  await user.type(day, '2026-11-21')
  await press(user, 'Move out…')
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('Records before that day leave the log and its search')
  expect(host.asked.some(({ method }) => method === 'compact_log')).toBe(false)
  await user.click(within(dialog).getByRole('button', { name: 'Move them out' }))
  expect(await screen.findByText('240 records were moved out')).toBeTruthy()
  expect(document.body.textContent).toContain('/log/archive/1.jsonl')
})

it('a day begins at its first moment here, and there are only days of the calendar', () => {
  expect(firstMomentOf('2026-11-22')).toBe(new Date(2026, 10, 22).getTime())
  expect(firstMomentAfter('2026-12-31')).toBe(new Date(2027, 0, 1).getTime())
  expect([firstMomentOf('2026-02-30'), firstMomentOf(''), firstMomentOf('22.11.2026')]).toEqual([
    null,
    null,
    null,
  ])
})
