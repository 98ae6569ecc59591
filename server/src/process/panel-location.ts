/** Where the panel, its API and the metrics are served: on their own listener, or in a sandbox on that of payments. */

export interface PanelLocation {
  /** Their own listener; null if they share the payments' or this process does not serve them. */
  readonly listener: { readonly host: string; readonly port: number } | null
  /** Whether they share the listener of payments; sandbox mode only. */
  readonly shared: boolean
  /** The address in browsers, without a path; null if it is the listening address. */
  readonly url: string | null
}

interface PanelSettings {
  readonly ADMIN_PORT?: string | undefined
  readonly ADMIN_HOST: string
  readonly ADMIN_URL?: string | undefined
}

const livePort = 8081

export function panelLocationOf(
  { ADMIN_PORT: port, ADMIN_HOST: host, ADMIN_URL }: PanelSettings,
  sandbox: boolean,
): PanelLocation {
  const url = ADMIN_URL === undefined ? null : new URL(ADMIN_URL).origin
  if (port === 'none') return { listener: null, shared: false, url }
  if (port === undefined && sandbox) return { listener: null, shared: true, url }
  return { listener: { host, port: Number(port ?? livePort) }, shared: false, url }
}
