/** What the pretended browser lacks, and a clean start for every test. */
import { afterEach, beforeEach } from 'vitest'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  location.hash = ''
})

afterEach(() => {
  document.body.innerHTML = ''
})
