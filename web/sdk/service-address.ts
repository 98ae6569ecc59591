/**
 * The address of the service without a trailing slash: the given one, or else the origin of this script. In a merchant's own bundle the
 * script comes from the merchant, so the caller must give the address.
 */
export function serviceAddress(baseUrl: string | undefined): string {
  if (baseUrl !== undefined) return new URL(baseUrl, ownAddress || undefined).href.replace(/\/+$/, '')
  const [, base] = /^(.+?)\/sdk\/(?:[^/]+\/)?[a-z-]+\.js(?:[?#].*)?$/.exec(ownAddress) ?? []
  if (base === undefined) throw new Error('The service address is not known: pass { baseUrl }.')
  return base
}

/** Read while the script runs; afterwards `currentScript` is null. */
const ownAddress =
  typeof document === 'undefined' || document.currentScript === null ? '' : addressOf(document.currentScript)

function addressOf(script: HTMLOrSVGScriptElement): string {
  return script instanceof HTMLScriptElement ? script.src : ''
}

/** The hosted form has the address of the hosted page: the token is its last part. */
export const tokenInAddress = (): string => /([^/]*)\/*$/.exec(location.pathname)?.[1] ?? ''

const news = '#amount-changed'

/** Draws a form of the service with the present amount. The address says why, because the form stores nothing in the browser. */
export function reloadWithNews(): void {
  location.hash = news
  location.reload()
}

/** Whether the page was drawn again for another amount; true once. */
export function takeNews(): boolean {
  if (location.hash !== news) return false
  location.hash = ''
  return true
}
