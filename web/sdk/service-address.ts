/**
 * Where the service is, without an end slash: what the caller says, else where this script came from. A module of a merchant's own
 * bundle came from the merchant, so there the caller has to say it.
 */
export function serviceAddress(baseUrl: string | undefined): string {
  if (baseUrl !== undefined) return new URL(baseUrl, own || undefined).href.replace(/\/+$/, '')
  const [, base] = /^(.+?)\/sdk\/(?:[^/]+\/)?[a-z-]+\.js(?:[?#].*)?$/.exec(own) ?? []
  if (base === undefined) throw new Error('The service address is not known: pass { baseUrl }.')
  return base
}

/** Read while the script runs; afterwards the browser does not tell any more. */
const own = typeof document === 'undefined' || document.currentScript === null ? '' : addressOf(document.currentScript)

function addressOf(script: HTMLOrSVGScriptElement): string {
  return script instanceof HTMLScriptElement ? script.src : ''
}
