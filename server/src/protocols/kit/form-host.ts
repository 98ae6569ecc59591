/**
 * Hosts of merchants' own forms, below FORMS_DOMAIN. A merchant's script runs there with a separate origin, which wallets need. Therefore
 * these hosts serve only what forms need, and a merchant's host never serves another merchant's form.
 */
import type { FastifyRequest } from 'fastify'
import { checkoutHost, checkoutUrl } from '#domain/address/checkout-host.ts'
import type { Merchant } from '#domain/merchant.ts'

type WithHeaders = Pick<FastifyRequest, 'headers'>

/** Without a slash at its end. */
export const formUrl = ({ name }: Pick<Merchant, 'name'>, formsDomain: string, publicUrl: string): string =>
  checkoutUrl(name, formsDomain, publicUrl)

export function isFormHost(request: WithHeaders, formsDomain: string | null): formsDomain is string {
  const host = hostOf(request)
  return formsDomain !== null && (host === formsDomain || host.endsWith(`.${formsDomain}`))
}

/** True if the request comes from the form host of another merchant. */
export const isStrangersFormHost = (
  request: WithHeaders,
  { name }: Pick<Merchant, 'name'>,
  formsDomain: string | null,
): boolean => isFormHost(request, formsDomain) && hostOf(request) !== checkoutHost(name, formsDomain)

/**
 * Chromium and Mozilla browsers resolve names below `localhost` to the machine itself without a name server. Other clients depend on the
 * machine's configuration, and the name might not resolve.
 */
export const findsLoopbackNames = ({ headers }: WithHeaders): boolean =>
  headers['sec-fetch-mode'] === 'navigate' && /\b(?:Headless)?Chrome\/|\bFirefox\//.test(headers['user-agent'] ?? '')

const servedPaths = [
  '/auth/',
  '/forms/',
  '/page/v1/',
  '/sdk/',
  '/simulator/',
  '/.well-known/',
  '/service/alive',
] as const

/** Only the paths that a form and its wallets need. */
export const isServedToForms = (url: string): boolean => servedPaths.some((path) => url.startsWith(path))

const hostOf = ({ headers }: WithHeaders): string => URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? ''
