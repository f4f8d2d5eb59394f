/** What the pretended browser lacks, and a clean start for every test. */
import { configure } from '@testing-library/svelte'
import { afterEach, beforeEach } from 'vitest'

// Only bounds a failure: a busy machine is no reason to fail.
configure({ asyncUtilTimeout: 30_000 })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  location.hash = ''
})

afterEach(() => {
  document.body.innerHTML = ''
})
