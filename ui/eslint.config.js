// The door rules of the window, and the usual care. Each ban says why.
import globals from 'globals'
import svelte from 'eslint-plugin-svelte'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

const tauri = {
  regex: '^@tauri-apps/',
  message: 'Only src/host/tauri.ts knows Tauri: everything else asks through the Host interface.',
}
const rooms = (names, message) => ({ regex: `(^|/)(${names.join('|')})(/|$)`, message })
const only = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns: [tauri, ...patterns] }] })

export default ts.config(
  { ignores: ['dist', 'node_modules', 'src/host/types.gen.ts'] },
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      'svelte/no-at-html-tags': 'error',
      'svelte/no-navigation-without-resolve': 'off',
      'no-console': 'error',
      'no-eval': 'error',
    },
  },
  { files: ['src/**'], ignores: ['src/host/tauri.ts'], rules: only() },
  {
    files: ['src/kit/**'],
    rules: only(rooms(['parts', 'views', 'state', 'host'], 'The kit knows no product: give it values and callbacks.')),
  },
  {
    files: ['src/parts/**'],
    rules: only(
      rooms(['views'], 'Views are made of parts, not the other way round.'),
      // What was found in a text, and what an answer covers, is shown wherever there is such a text or answer.
      { regex: '^\\.\\./(?!\\.\\./|(findings|terms)/)', message: 'A part imports its own noun only: let a view bring two nouns together.' },
      { regex: '/host/(?!types\\.gen)', message: 'A part asks through state; of host it may import the types only.' },
    ),
  },
  { files: ['src/state/**'], rules: only(rooms(['parts', 'views', 'kit'], 'State knows nothing of what shows it.')) },
  { files: ['src/host/**'], ignores: ['src/host/tauri.ts'], rules: only(rooms(['parts', 'views', 'kit', 'state'], 'The door knows nothing of the rooms.')) },
  { files: ['tests/**', 'src/**/*.test.ts'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
)
