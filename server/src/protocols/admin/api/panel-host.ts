/**
 * Which hosts name the panel. A page elsewhere can give its own name the address of this machine, and browsers would then take the panel
 * for a part of that page; a panel with an address of its own answers to that name alone.
 */

interface PanelName {
  /** As browsers reach it; null where it is reached where it listens. */
  readonly url: string | null
  /** The address of a listener of its own; null where it shares the payments'. */
  readonly listensOn: string | null
}

const loopback = ['localhost', '127.0.0.1', '[::1]']

export function panelHosts({ url, listensOn }: PanelName): (host: string | undefined) => boolean {
  const own = url === null ? null : new URL(url).hostname
  const isLocal = listensOn === null || listensOn === '::1' || loopback.includes(listensOn)
  return (host) => {
    const hostname = URL.parse(`http://${host ?? ''}`)?.hostname ?? ''
    if (own !== null) return hostname === own || (isLocal && loopback.includes(hostname))
    // Reached by whatever name its machine has in the network.
    return listensOn === null || !isLocal || loopback.includes(hostname)
  }
}
