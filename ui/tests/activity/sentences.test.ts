/** Promises of the rows' sentences: who did what to what. */
import { render, screen } from '@testing-library/svelte'
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { CLAUDE_CODE, TERMINAL, WINDOW } from '../../src/host/fake/callers'
import { segmentOf } from '../../src/host/fake/figures'
import type { ActivityRow } from '../../src/host/types.gen'
import { language } from '../../src/messages'
import { callerWords } from '../../src/messages/callers'
import ActivityTable from '../../src/parts/activity/ActivityTable.svelte'
import { callerMarkOf } from '../../src/parts/activity/callerMark'
import { dayWords, inDays } from '../../src/parts/activity/days'
import RowSentence from '../../src/parts/activity/RowSentence.svelte'
import { approverWords, timesWords } from '../../src/parts/activity/rowText'
import { sentenceOf, sentenceText as inOneText } from '../../src/parts/activity/sentence'
import { decided, row } from './happened'

beforeEach(() => language.choose('en'))

const sentenceText = (happened: ActivityRow): string => inOneText(sentenceOf(happened))
const call = (more: Partial<ActivityRow>): ActivityRow => row(1, { tool: 'write_file', ...more })

it.each<[string, ActivityRow]>([
  ['Claude Code ran write_file of files', call({ caller: CLAUDE_CODE })],
  ['The terminal ran write_file of files', call({ caller: TERMINAL })],
  ['You ran write_file of files', call({ outcome: 'failed' })],
  ['You started write_file of files', call({ outcome: 'interrupted' })],
  [
    'Claude Code was not allowed to run write_file of files',
    call({ caller: CLAUDE_CODE, outcome: 'refused', reason: 'forbidden_by_rule' }),
  ],
  [
    'You did not allow Claude Code to run write_file of files',
    call({
      caller: CLAUDE_CODE,
      outcome: 'refused',
      reason: 'denied',
      approver: 'question_window',
    }),
  ],
  [
    'You did not allow the terminal to run write_file of files',
    call({ caller: TERMINAL, outcome: 'refused', reason: 'denied', approver: 'terminal' }),
  ],
  [
    'Claude Code was not allowed to run write_file of files',
    call({
      caller: CLAUDE_CODE,
      outcome: 'refused',
      reason: 'denied',
      approver: 'approver_token',
    }),
  ],
  [
    'You were not allowed to run write_file of files',
    call({ caller: WINDOW, outcome: 'refused', reason: 'outside_folders' }),
  ],
  ['You switched files on', decided(1, 'server_switched', { choice: 'on' })],
  ['You switched files off', decided(1, 'server_switched', { choice: 'off' })],
  ['You switched files on or off', decided(1, 'server_switched')],
  [
    'You approved 1,000 items of thousand',
    decided(1, 'offers_decided', { server: 'thousand', choice: 'approve', count: 1_000 }),
  ],
  [
    'You decided about 1 item of thousand',
    decided(1, 'offers_decided', { server: 'thousand', count: 1 }),
  ],
  [
    'You blocked write_file of files',
    decided(1, 'offer_decided', { subject: 'write_file', choice: 'block' }),
  ],
  [
    'You gave files the folder /home/me',
    decided(1, 'root_added', { subject: '/home/me', approver: 'browser' }),
  ],
  [
    'A command with --yes gave files the folder /home/me',
    decided(1, 'root_added', { subject: '/home/me', approver: 'unattended' }),
  ],
  [
    'editor-1 removed files',
    decided(1, 'server_removed', { approver: 'client:editor-1', caller: null }),
  ],
  ['Someone removed files', decided(1, 'server_removed', { approver: null, caller: null })],
  [
    'You connected Claude Code to Majordomo',
    decided(1, 'application_connected', { server: null, subject: 'claude_code' }),
  ],
  [
    'files changed 3 items, which wait for your decision',
    decided(1, 'offer_quarantined', { count: 3, segment: 'system' }),
  ],
  ['Majordomo 0.2.0 started', decided(1, 'host_started', { server: null, subject: '0.2.0' })],
  ['Majordomo started', decided(1, 'host_started', { server: null })],
])('a row says “%s”', (words, happened) => {
  expect(sentenceText(happened)).toBe(words)
})

it('what a row lacks a name for is still said, and so is what this version does not know', () => {
  expect(sentenceText(decided(1, 'workspace_added', { server: null }))).toBe('Workspace made')
  expect(sentenceText(decided(1, 'offers_decided'))).toBe(
    'Decisions about what a server offers: files',
  )
  expect(sentenceText(decided(1, 'moon_shot', { server: null }))).toBe('moon shot')
})

it('every kind of record is said in both languages, with nothing left to fill in', () => {
  const record = readFileSync('../src-tauri/store/src/audit/record.rs', 'utf8')
  const names = [...record.matchAll(/Self::\w+(?: \{ \.\. \})? => "(\w+)",/g)].map(
    (match) => match[1] as string,
  )
  expect(names.length).toBeGreaterThan(40)
  for (const choice of ['en', 'zh-CN'] as const) {
    language.choose(choice)
    for (const what of names) {
      const about = { segment: segmentOf(what), tool: 'search', subject: 'this', count: 2 }
      const [full, bare] = [sentenceText(decided(1, what, about)), sentenceText(decided(1, what))]
      for (const words of [full, bare]) expect(words, what).not.toMatch(/[{}_]|null|undefined/)
    }
  }
})

describe('a name', () => {
  it('stands out and is shown as what it is, never as our words', () => {
    const subject = 'notes\u202egpj.exe'
    render(RowSentence, { parts: sentenceOf(decided(1, 'root_added', { subject })) })
    const names = [...document.querySelectorAll('.name')]
    expect(names.map((name) => name.textContent)).toEqual([
      'files',
      expect.stringContaining('notes'),
    ])
    expect(screen.getByRole('img', { name: /202E/ })).toBeTruthy()
  })

  it('that is a word of ours for somebody else comes with its kind', () => {
    for (const name of ['You', ' the Terminal ', 'majordomo'])
      expect(sentenceText(call({ caller: { kind: 'client', id: 'x-1', name } }))).toContain(
        `The application “${name}” (x-1) ran`,
      )
    expect(sentenceText(decided(1, 'server_removed', { approver: 'client:You' }))).toBe(
      'The application “You” removed files',
    )
  })

  it('of Latin letters has room beside it in a Chinese sentence', () => {
    language.choose('zh-CN')
    expect(sentenceText(call({ caller: CLAUDE_CODE }))).toBe(
      'Claude Code 运行了 files 的 write_file',
    )
    expect(sentenceText(call({}))).toBe('您运行了 files 的 write_file')
  })
})

it('who stands behind a row is a drawing with words', () => {
  expect(callerMarkOf(call({ caller: CLAUDE_CODE }))).toEqual({
    icon: 'plug',
    words: 'The application “Claude Code” (claude-code)',
  })
  expect(callerMarkOf(decided(1, 'root_added', { approver: 'terminal' }))).toEqual({
    icon: 'command',
    words: 'You, on the terminal',
  })
  expect(callerMarkOf(decided(1, 'host_started', { approver: null, caller: null }))).toBeNull()
})

it('a row is called by its sentence, and by who stands behind it only where the sentence does not say so', () => {
  const happened = [
    call({ outcome: 'refused', reason: 'denied', approver: 'window' }),
    { ...call({ caller: CLAUDE_CODE }), seq: 2 },
    { ...call({ caller: CLAUDE_CODE, what: 'question_asked' }), seq: 3 },
  ]
  render(ActivityTable, { rows: happened, chosen: null, onopen: () => {}, onend: () => {} })
  const named = (name: RegExp) => screen.getAllByRole('row', { name })
  expect(named(/^You denied write_file of files/)).toHaveLength(1)
  expect(named(/^Claude Code ran write_file of files/)).toHaveLength(1)
  expect(
    named(/^The application “Claude Code” \(claude-code\) A question about write_file/),
  ).toHaveLength(1)
})

it('whoever decided in the window is called as whoever asked there', () => {
  expect(approverWords('window')).toBe(callerWords(WINDOW))
})

it('waiting is said apart from running, and only where a person can have waited', () => {
  const took = (waited_ms: number | null, ran_ms: number | null, outcome = 'done' as const) =>
    timesWords(row(1, { waited_ms, ran_ms, outcome }))
  expect(took(180_000, 20)).toBe('waited 3 min · ran 20 ms')
  expect(took(4, 20)).toBe('ran 20 ms')
  expect(timesWords(row(1, { waited_ms: 9_000, ran_ms: null, outcome: 'refused' }))).toBe(
    'waited 9 sec',
  )
})

it('rows stand below their days', () => {
  const now = new Date(2026, 10, 21, 9).getTime()
  const at = (day: number, hour: number): number => new Date(2026, 10, day, hour).getTime()
  const rows = [at(21, 8), at(21, 7), at(20, 23), at(18, 12)].map((time, index) =>
    row(9 - index, { at: time }),
  )
  const said = inDays(rows).map((line) => ('day' in line ? dayWords(line.day, now) : line.row.seq))
  expect(said).toEqual(['Today', 9, 8, 'Yesterday', 7, 'Wednesday, November 18, 2026', 6])
})

it('a sentence is made of words and names in the order of the language', () => {
  expect(sentenceOf(call({ caller: CLAUDE_CODE }))).toEqual([
    { name: 'Claude Code', isCode: false },
    { words: ' ran ' },
    { name: 'write_file', isCode: true },
    { words: ' of ' },
    { name: 'files', isCode: false },
  ])
})
