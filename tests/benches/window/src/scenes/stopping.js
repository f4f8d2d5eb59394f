// Clicks on the button that stops, and passes on when that was, and how many milliseconds later words came last, within a second.
const [done] = arguments
const words = () => [...document.querySelectorAll('[role=log] .markdown')].at(-1)?.textContent.length ?? 0
const button = [...document.querySelectorAll('form button')].find(({ textContent }) => textContent.trim() === 'Stop')
const clicked = Date.now()
let [most, last] = [words(), 0]
button.click()
requestAnimationFrame(function look() {
  const [now, passed] = [words(), Date.now() - clicked]
  if (now > most) [most, last] = [now, passed]
  if (passed < 1000) requestAnimationFrame(look)
  else done({ clicked, last })
})
