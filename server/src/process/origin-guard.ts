/**
 * Refuses a configuration in which merchants' scripts could share a host with the panel, or with the page where cards are entered. Browsers
 * isolate different hosts, and nothing else that this service could do replaces that.
 */
import { isThisMachine } from '#domain/address/loopback.ts'
import type { Config } from './config.ts'
import { StartupError } from './startup-error.ts'

type OriginSettings = Pick<Config, 'instanceMode' | 'baseUrl' | 'formsDomain' | 'admin'> & {
  readonly wallets: Pick<Config['wallets'], 'checkoutDomain'>
}

export function guardOrigins(config: OriginSettings): void {
  const fault = faultIn(config)
  if (fault !== null) throw new StartupError(fault.text, fault.remedy)
}

interface Fault {
  readonly text: string
  readonly remedy: string
}

function faultIn({
  instanceMode,
  baseUrl,
  formsDomain,
  admin,
  wallets: { checkoutDomain },
}: OriginSettings): Fault | null {
  const panel = admin.url === null ? null : new URL(admin.url)
  const base = baseUrl === null ? null : new URL(baseUrl)
  if (formsDomain !== null) {
    if (panel && isWithin(panel.hostname, formsDomain))
      return sharedHostFault(`ADMIN_URL (${panel.host}) is inside FORMS_DOMAIN, where merchants’ scripts run.`)
    if (base && isWithin(base.hostname, formsDomain))
      return sharedHostFault(`BASE_URL (${base.host}) is inside FORMS_DOMAIN, where merchants’ scripts run.`)
    if (checkoutDomain !== null && (isWithin(checkoutDomain, formsDomain) || isWithin(formsDomain, checkoutDomain)))
      return sharedHostFault(
        'FORMS_DOMAIN and CHECKOUT_DOMAIN overlap: forms would run on hosts where cards are entered.',
      )
  }
  if (instanceMode !== 'live') return null
  if (panel && base && panel.origin === base.origin)
    return sharedHostFault(
      `ADMIN_URL and BASE_URL are both ${panel.origin}: the panel must not share the address of payments.`,
    )
  if (panel && checkoutDomain !== null && isWithin(panel.hostname, checkoutDomain))
    return sharedHostFault(`ADMIN_URL (${panel.host}) is inside CHECKOUT_DOMAIN, whose hosts belong to merchants.`)
  if (panel?.protocol === 'http:' && !isThisMachine(panel.hostname))
    return {
      text: `ADMIN_URL (${panel.origin}) is plain http: passwords and card numbers would be sent unencrypted.`,
      remedy: 'Put an https proxy in front of the panel and set ADMIN_URL to its https address.',
    }
  if (admin.listener && panel === null && !isThisMachine(admin.listener.host))
    return {
      text: `The panel would be available over plain http on ${admin.listener.host}.`,
      remedy: 'Put an https proxy in front of it and set ADMIN_URL to its address, or keep ADMIN_HOST at 127.0.0.1.',
    }
  return null
}

const sharedHostFault = (text: string): Fault => ({ text, remedy: 'Use a separate host for each.' })

const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
