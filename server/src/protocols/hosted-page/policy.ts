/** The headers of the page, of custom forms and of the frames. Chapter 30 §7.9. */
import { commonHeaders } from '../payer-pages/page.ts'

interface Policy {
  /** Scripts in addition to those of this host: a wallet provider's, or hashes of a form's inline ones. */
  readonly scripts?: readonly string[]
  readonly styles?: readonly string[]
  /** The hosts to which external scripts may connect. */
  readonly hosts?: readonly string[]
  readonly embedders: string
  /** The origin whose pages it may show in frames; any, if it is not named. */
  readonly frames?: string | undefined
  /** Forms and frames lead to issuers at unknown addresses; http is allowed only if the service itself is reached by http. */
  readonly plainHttp: boolean
  /** False with external scripts, which do not support trusted types. */
  readonly trustedTypes: boolean
}

export const reportPath = '/page/v1/report'

export function policyHeaders(policy: Policy): Readonly<Record<string, string>> {
  const hosts = policy.hosts ?? []
  return {
    ...commonHeaders(policy.plainHttp),
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentPolicy(policy, hosts),
    'reporting-endpoints': `page="${reportPath}"`,
    'permissions-policy': `payment=(${['self', ...hosts.map((host) => `"${host}"`)].join(' ')})`,
  }
}

function contentPolicy(policy: Policy, hosts: readonly string[]): string {
  const { scripts = [], styles = [], embedders, frames, plainHttp, trustedTypes } = policy
  const anywhere = plainHttp ? 'https: http:' : 'https:'
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    ["style-src 'self'", ...styles].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...hosts].join(' '),
    `frame-src ${frames ?? anywhere}`,
    `form-action ${anywhere}`,
    "base-uri 'none'",
    `frame-ancestors ${embedders}`,
    ...(trustedTypes ? ["require-trusted-types-for 'script'"] : []),
    `report-uri ${reportPath}`,
    'report-to page',
  ].join('; ')
}
