// Notes while something comes in: when the page draws a frame, when its words change, and how old the newest of them are once they
// are drawn. What has a time in it is as old as that. Times are milliseconds since 1970.
const log = document.querySelector('[role=log]')
const meter = { frames: [], changes: [], ages: [] }
let changed = false
let newest = 0
const watch = new MutationObserver(() => (changed = true))
watch.observe(log, { subtree: true, childList: true, characterData: true })

/** The times that came since the last frame: the last paragraph holds them. */
function fresh() {
  const last = [...log.querySelectorAll('.markdown')].at(-1)?.lastElementChild?.textContent ?? ''
  const times = [...last.slice(-1_000).matchAll(/\b\d{13}\b/g)].map(([time]) => Number(time))
  const since = times.filter((time) => time > newest)
  newest = Math.max(newest, ...since)
  return since
}

// What is posted in a frame arrives once that is drawn.
const drawn = new MessageChannel()
drawn.port1.onmessage = ({ data }) => meter.ages.push(...data.map((time) => Date.now() - time))

function frame(passed) {
  const at = performance.timeOrigin + passed
  meter.frames.push(at)
  if (changed) {
    changed = false
    meter.changes.push(at)
    drawn.port2.postMessage(fresh())
  }
  next = requestAnimationFrame(frame)
}
let next = requestAnimationFrame(frame)
window.stopMeter = () => {
  cancelAnimationFrame(next)
  watch.disconnect()
  return meter
}
