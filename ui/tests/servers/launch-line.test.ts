/** Promises of the one line that says what a server runs. */
import { expect, test } from 'vitest'
import type { ServerView } from '../../src/host/types.gen'
import { countSettings, launchLine } from '../../src/parts/servers/state'

const launch = (args: string[]): ServerView['launch'] => ({
  kind: 'stdio',
  command: 'node',
  args,
  env: [{ name: 'LEVEL', value: { kind: 'plain', text: '1' } }],
  cwd: null,
})

test.each([
  [['server.js', '--port=1'], 'node server.js --port=1'],
  [['my server.js'], 'node "my server.js"'],
  [['my', 'server.js'], 'node my server.js'],
  [['', '"a"'], 'node "" "\\"a\\""'],
  [['C:\\tools\\x.js'], 'node C:\\tools\\x.js'],
])('the arguments %j are told apart', (args, line) => {
  expect(launchLine(launch(args))).toBe(line)
})

test('settings that go with it are counted', () => {
  expect(countSettings(launch([]))).toBe(1)
  expect(countSettings({ kind: 'builtin' } as ServerView['launch'])).toBe(0)
  expect(countSettings(undefined)).toBe(0)
})
