/**
 * The host names under which the panel answers. A hostile site can let its own name resolve to this machine (DNS rebinding), and browsers
 * would then treat the panel as part of that site. A panel with a configured address therefore answers only under that name.
 */

interface PanelName {
  /** The panel's configured address in browsers; null if browsers use the address on which it listens. */
  readonly url: string | null
  /** The address of the panel's own listener; null if it shares the listener of the payments. */
  readonly listensOn: string | null
}

const loopback = ['localhost', '127.0.0.1', '[::1]']

export function panelHosts({ url, listensOn }: PanelName): (host: string | undefined) => boolean {
  const own = url === null ? null : new URL(url).hostname
  const isLocal = listensOn === null || listensOn === '::1' || loopback.includes(listensOn)
  return (host) => {
    const hostname = URL.parse(`http://${host ?? ''}`)?.hostname ?? ''
    if (own !== null) return hostname === own || (isLocal && loopback.includes(hostname))
    // On other addresses the machine may have any name in its network.
    return listensOn === null || !isLocal || loopback.includes(hostname)
  }
}
