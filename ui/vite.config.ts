import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { defineConfig } from 'vitest/config'

// Two pages: the window and the question's own window. Nothing is inlined, so a strict content security policy holds.
export default defineConfig({
  base: './',
  plugins: [svelte(), svelteTesting()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['es2022', 'safari16'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One sheet of styles: in which order they stand must not depend on what was loaded first.
    cssCodeSplit: false,
    rolldownOptions: {
      input: { index: 'index.html', question: 'question.html' },
      // It only names what the kit has; who needs one thing must not load the others.
      treeshake: { moduleSideEffects: [{ test: /kit\/index\.ts$/, sideEffects: false }] },
      output: { codeSplitting: { groups: [{ name: 'common', minShareCount: 4 }] } },
    },
  },
  server: { host: '127.0.0.1', port: 5173, strictPort: true },
  test: {
    // Only bounds a failure: a busy machine is no reason to fail.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    environment: 'happy-dom',
    include: ['tests/**/*.test.ts', 'src/**/*.test.ts'],
    setupFiles: ['tests/setup.ts'],
    restoreMocks: true,
  },
})
