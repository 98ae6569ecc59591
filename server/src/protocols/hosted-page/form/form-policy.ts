/**
 * The headers of a merchant's own form. Chapter 30 §9.4.
 *
 * The script belongs to the merchant and may reach only what a payment needs: its own files, the SDK and the page's API, each by its path,
 * because the panel may be served by the same host. A form without a host of its own has no origin (`sandbox` without `allow-same-origin`):
 * its requests carry no cookies, it has no storage, and it cannot access other documents of the host.
 */
import { commonHeaders } from '../../payer-pages/page.ts'
import { reportPath } from '../policy.ts'
import type { ApprovedForm } from './approved-form.ts'

export interface FormPolicy {
  readonly form: Pick<ApprovedForm, 'id' | 'scripts' | 'styles'>
  /** The origin under which the browser loaded the form. */
  readonly origin: string
  /** The wallets of a form that has a host of its own; null for one without an origin. */
  readonly wallets: FormWallets | null
  readonly embedders: string
  readonly plainHttp: boolean
}

interface FormWallets {
  /** The wallet providers' scripts by exact address. */
  readonly scripts: readonly string[]
  /** Whether the paths of the sandbox's replacement script are allowed. */
  readonly simulator: boolean
}

/**
 * Without `allow-forms` the browser fires no submit event, to which the SDK listens. The payer goes to the bank by a link, whose window
 * must not inherit the sandbox, or by a navigation of the document, which needs no permission.
 */
const sandbox = [
  'sandbox allow-scripts',
  'allow-forms',
  'allow-modals',
  'allow-popups',
  'allow-popups-to-escape-sandbox',
  'allow-top-navigation-by-user-activation',
].join(' ')

export function formHeaders(policy: FormPolicy): Readonly<Record<string, string>> {
  const providers = providersOf(policy)
  return {
    ...commonHeaders(policy.plainHttp),
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentPolicy(policy, providers),
    'reporting-endpoints': `page="${reportPath}"`,
    'permissions-policy':
      policy.wallets === null
        ? 'payment=()'
        : `payment=(${['self', ...providers.map((host) => `"${host}"`)].join(' ')})`,
  }
}

const providersOf = ({ wallets }: FormPolicy): readonly string[] => [
  ...new Set(wallets?.scripts.map((url) => new URL(url).origin)),
]

function contentPolicy({ form, origin, wallets, embedders }: FormPolicy, providers: readonly string[]): string {
  const files = `${origin}/forms/${form.id}/`
  const standIn = wallets?.simulator ? [`${origin}/simulator/stand-in.js`] : []
  const simulated = wallets?.simulator ? [`${origin}/simulator/api/`] : []
  const scripts = [files, `${origin}/sdk/`, ...form.scripts, ...(wallets?.scripts ?? []), ...standIn]
  return [
    ...(wallets === null ? [sandbox] : []),
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    `style-src ${[files, ...form.styles].join(' ')}`,
    `img-src ${files} data:`,
    `font-src ${files}`,
    `connect-src ${[`${origin}/page/v1/`, ...providers, ...simulated].join(' ')}`,
    // Only wallets need frames: issuers are visited by navigation.
    `frame-src ${providers.length === 0 ? "'none'" : providers.join(' ')}`,
    "worker-src 'none'",
    // The SDK sends the entered values; the document's forms must not be submitted anywhere.
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${embedders}`,
    `report-uri ${reportPath}`,
    'report-to page',
  ].join('; ')
}
