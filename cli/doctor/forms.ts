/** Checks that browsers reach the hosts of merchants' own forms, and that no other sensitive host shares their site. */
import { checkoutUrl } from '#domain/address/checkout-host.ts'
import { isThisMachine } from '#domain/address/loopback.ts'
import { siteOf } from '#domain/address/site.ts'
import type { Config } from '#server/process/config.ts'
import { formStore } from '#server/store/configuration/forms.ts'
import type { Queryable } from '#server/store/database/pool.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { readRunningVersion } from './machine.ts'
import type { Reach } from './reach.ts'

const subject = 'forms'

/** Every name below the domain must lead to this service, so any unused name can be tested. */
const probe = 'gatehouse-doctor'

export async function checkForms(config: Config, pool: Queryable, reach: Reach): Promise<readonly Finding[]> {
  const { formsDomain } = config
  if (formsDomain === null) return [await withoutHosts(config, pool)]
  if (isThisMachine(formsDomain))
    return [ok(subject, `Forms are served on hosts below ${formsDomain}, for browsers on this machine.`)]
  const shared = sharedSite(config, formsDomain)
  return [...(shared === null ? [] : [shared]), await checkHost(config, formsDomain, reach)]
}

async function withoutHosts({ instanceMode }: Config, pool: Queryable): Promise<Finding> {
  const text = 'Merchants’ forms run without an origin of their own'
  const shown = (await formStore(pool).list(null)).filter(({ state }) => state === 'approved')
  if (instanceMode !== 'live' || shown.length === 0) return ok(subject, `${text} and cannot offer wallets.`)
  return warning(
    subject,
    `${text}; ${shown.length === 1 ? 'the approved form' : `the ${shown.length} approved forms`} cannot offer wallets.`,
    'To offer wallets in forms, set FORMS_DOMAIN to a domain with a wildcard DNS record and certificate.',
  )
}

/** Hosts of one site share SameSite cookies, and a script on one can set cookies for all. */
function sharedSite({ baseUrl, admin, wallets: { checkoutDomain } }: Config, formsDomain: string): Finding | null {
  const others: readonly (readonly [string, string | null])[] = [
    ['BASE_URL', baseUrl === null ? null : new URL(baseUrl).hostname],
    ['ADMIN_URL', admin.url === null ? null : new URL(admin.url).hostname],
    ['CHECKOUT_DOMAIN', checkoutDomain],
  ]
  const site = siteOf(formsDomain)
  const names = others.filter(([, host]) => host !== null && siteOf(host) === site).map(([name]) => name)
  if (names.length === 0) return null
  return warning(
    subject,
    `FORMS_DOMAIN is on the same site (${site}) as ${names.join(' and ')}, so merchants’ scripts can set cookies for it.`,
    'Use a separate registered domain for forms.',
  )
}

async function checkHost(config: Config, formsDomain: string, reach: Reach): Promise<Finding> {
  const host = `${probe}.${formsDomain}`
  const wildcard = `Create a wildcard DNS record *.${formsDomain} for this service, and a certificate for it.`
  if (!(await reach.isResolvable(host))) return problem(subject, `Hosts below ${formsDomain} do not resolve.`, wildcard)
  if ((await readRunningVersion(config)) === null)
    return ok(
      subject,
      `Hosts below ${formsDomain} resolve. Run the doctor while the service is running to check that they answer.`,
    )
  const url = checkoutUrl(probe, formsDomain, config.baseUrl ?? `http://${config.host}:${config.port}`)
  const alive = await reach.ask(`${url}/service/alive`)
  if (!alive.ok) return problem(subject, `${url} cannot be reached: ${alive.fault}.`, wildcard)
  if (alive.status !== 200)
    return problem(
      subject,
      `A different service answers at ${url} (${alive.status}).`,
      `Configure the proxy to forward hosts below ${formsDomain} to ${config.host}:${config.port} with their Host header.`,
    )
  const panel = await reach.ask(`${url}/admin`)
  if (panel.ok && panel.status === 200)
    return problem(
      subject,
      `The panel answers at ${url}/admin, where merchants’ scripts run.`,
      'Configure the proxy to forward the Host header unchanged, and not to forward hosts of forms to ADMIN_PORT.',
    )
  return ok(subject, `Hosts below ${formsDomain} answer and serve only forms.`)
}
