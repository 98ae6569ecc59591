/**
 * The site of a host: the registered domain that it belongs to. Cookies can be set for a whole site; SameSite cookies are sent within it.
 *
 * The public suffix list has ten thousand rows and changes weekly, so this is an estimate: the last two labels, or three where the second
 * is short and stands before a country (`co.uk`, `com.br`). Use it for advice only, never for a security decision.
 */
export function siteOf(host: string): string {
  const labels = host.split('.')
  const [second = '', top = ''] = labels.slice(-2)
  const isRegistry = top.length === 2 && second.length <= 3 && labels.length > 2
  return labels.slice(isRegistry ? -3 : -2).join('.')
}
