/** Which addresses of a reply the system's browser may be asked to open. Pure. */

/** Whether an address leads to a web page, and names nobody in front of its host, which only misleads. */
export function opens(address: string): boolean {
  try {
    const { protocol, username, password, hostname } = new URL(address)
    const web = protocol === 'https:' || protocol === 'http:'
    return web && username === '' && password === '' && hostname !== ''
  } catch {
    return false
  }
}
