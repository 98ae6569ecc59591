/** Why no passkey can be created at an address, and which address to use; null if one can. */

interface PanelLocation {
  readonly protocol: string
  readonly hostname: string
  readonly port: string
  readonly pathname: string
}

/** Browsers bind passkeys to a host name, which an IP address is not. */
export function passkeyHint({ protocol, hostname, port, pathname }: PanelLocation): string | null {
  const isAddress = /^[\d.]+$|^\[.*\]$/.test(hostname)
  if (!isAddress) return null
  const isLocal = hostname.startsWith('127.') || hostname === '[::1]'
  const local = `${protocol}//localhost${port === '' ? '' : `:${port}`}${pathname}`
  const advice = isLocal
    ? `Open the panel at ${local} and try again.`
    : 'Open the panel under its host name and try again.'
  return `Passkeys need a host name, and this page was opened by its IP address. ${advice}`
}
