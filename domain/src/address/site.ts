/**
 * The site of a host: the registered domain that it belongs to. Cookies may be set for all of it, and SameSite cookies go along within it.
 *
 * Which endings are registries is in a list of ten thousand rows that changes weekly. Two labels are right for most; a short second one
 * before a country (`co.uk`, `com.br`) is taken for a registry. Used for advice alone.
 */
export function siteOf(host: string): string {
  const labels = host.split('.')
  const [second = '', top = ''] = labels.slice(-2)
  const isRegistry = top.length === 2 && second.length <= 3 && labels.length > 2
  return labels.slice(isRegistry ? -3 : -2).join('.')
}
