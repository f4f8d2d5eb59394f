// Opens a place, scrolls through its list, and passes on how many milliseconds it took until these words were drawn, how many
// elements the page then had, and the frames while it was scrolled: how many a second, and the longest time between two.
const [place, words, done] = arguments
const LENGTH = 2_000
const STEP = 240

/** What scrolls the farthest. */
function scroller() {
  const all = [document.scrollingElement, ...document.querySelectorAll('main, main *')]
  const far = (element) => element.scrollHeight - element.clientHeight
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowY)
  const some = all.filter((element, nth) => nth === 0 || scrolls(element))
  return some.reduce((one, other) => (far(other) > far(one) ? other : one))
}

function scroll(taken) {
  const nodes = document.querySelectorAll('*').length
  const list = scroller()
  const frames = []
  requestAnimationFrame(function frame(at) {
    frames.push(at)
    list.scrollTop += STEP
    if (at - frames[0] < LENGTH) return requestAnimationFrame(frame)
    const gaps = frames.slice(1).map((time, nth) => time - frames[nth])
    done({
      taken,
      nodes,
      scrolled: list.scrollTop,
      longest: Math.max(...gaps),
      per_second: (gaps.length / (frames.at(-1) - frames[0])) * 1_000,
    })
  })
}

const begun = performance.now()
location.hash = `#/${place}`
const drawn = new MessageChannel()
drawn.port1.onmessage = () => scroll(performance.now() - begun)
requestAnimationFrame(function look() {
  // What is posted in a frame arrives once that is drawn.
  if (document.querySelector('main')?.textContent.includes(words)) drawn.port2.postMessage(null)
  else requestAnimationFrame(look)
})
