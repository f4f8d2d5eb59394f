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
const only = (...patterns) => ({
  '@typescript-eslint/no-restricted-imports': ['error', { patterns: [tauri, ...patterns] }],
})
const FROM_CONTEXT = 'A page makes its stores once and hands them down: take them with `stores()`.'
const handedDown = [
  { regex: '/state/stores$', importNames: ['makeStores', 'inContext'], message: FROM_CONTEXT },
  {
    regex: '/state/(?!stores$|resource\\.svelte$)',
    importNamePattern: '^[A-Z][a-z]',
    allowTypeImports: true,
    message: FROM_CONTEXT,
  },
]

export default ts.config(
  { ignores: ['dist', 'node_modules', 'src/host/types.gen.ts'] },
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig },
    },
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
    rules: only(
      rooms(['parts', 'views', 'state'], 'The kit knows no product: give it values and callbacks.'),
      { regex: '/host/(?!types\\.gen)', message: 'Of the door the kit knows the types only.' },
    ),
  },
  {
    files: ['src/parts/**'],
    rules: only(
      ...handedDown,
      rooms(['views'], 'Views are made of parts, not the other way round.'),
      // What was found in a text, and what an answer covers, is shown wherever there is such a text or answer.
      {
        regex: '^\\.\\./(?!\\.\\./|(findings|terms)/)',
        message: 'A part imports its own noun only: let a view bring two nouns together.',
      },
      {
        regex: '/host/(?!types\\.gen)',
        message: 'A part asks through state; of host it may import the types only.',
      },
    ),
  },
  { files: ['src/views/**', 'src/App.svelte'], rules: only(...handedDown) },
  {
    files: ['src/state/**'],
    rules: {
      ...only(rooms(['parts', 'views', 'kit'], 'State knows nothing of what shows it.')),
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'Program > ExportNamedDeclaration NewExpression[callee.name!=/^(Set|Map)$/]:not(ClassDeclaration *):not(FunctionDeclaration *)',
          message: 'No store outlives its page: make it in makeStores.',
        },
      ],
      // A store says itself which of its values are watched.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    files: ['src/host/**'],
    ignores: ['src/host/tauri.ts'],
    rules: only(rooms(['parts', 'views', 'kit', 'state'], 'The door knows nothing of the rooms.')),
  },
  {
    files: ['tests/**', 'src/**/*.test.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
)
