// From now on, counts what timers and frames of the page do.
window.fired = 0
for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame']) {
  const given = window[name].bind(window)
  window[name] = (act, ...more) =>
    given((...with_) => {
      window.fired += 1
      return act(...with_)
    }, ...more)
}
