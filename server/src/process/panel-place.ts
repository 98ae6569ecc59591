/** Where the panel, its API and the metrics are served: on a listener of their own, or in a sandbox on that of payments. */

export interface PanelPlace {
  /** One of their own; null where they share the payments' or are not served by this process. */
  readonly listener: { readonly host: string; readonly port: number } | null
  /** On the listener of payments: in sandbox mode alone. */
  readonly shared: boolean
  /** As browsers reach it, without a path; null where it is reached where it listens. */
  readonly url: string | null
}

interface PanelSettings {
  readonly ADMIN_PORT?: string | undefined
  readonly ADMIN_HOST: string
  readonly ADMIN_URL?: string | undefined
}

const livePort = 8081

export function panelPlace(
  { ADMIN_PORT: port, ADMIN_HOST: host, ADMIN_URL }: PanelSettings,
  sandbox: boolean,
): PanelPlace {
  const url = ADMIN_URL === undefined ? null : new URL(ADMIN_URL).origin
  if (port === 'none') return { listener: null, shared: false, url }
  if (port === undefined && sandbox) return { listener: null, shared: true, url }
  return { listener: { host, port: Number(port ?? livePort) }, shared: false, url }
}
