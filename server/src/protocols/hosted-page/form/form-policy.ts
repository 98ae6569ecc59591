/**
 * The headers of a merchant's own form. Chapter 30 §9.4.
 *
 * The script is the merchant's and must reach nothing but what paying takes: its own files, the SDK and the page's API, each by its
 * path, because the panel may be below the same host. Without a host of its own the document has no origin at all (`sandbox` without
 * `allow-same-origin`): no cookie goes with its requests, it has no storage, and other documents of the host are strangers to it.
 */
import { commonHeaders } from '../../payer-pages/page.ts'
import { reportPath } from '../policy.ts'
import type { ApprovedForm } from './approved-form.ts'

export interface FormPolicy {
  readonly form: Pick<ApprovedForm, 'id' | 'scripts' | 'styles'>
  /** Under which the browser has the form, without a path. */
  readonly origin: string
  /** The wallets of a form that has a host of its own; null for one without an origin. */
  readonly wallets: FormWallets | null
  readonly embedders: string
  readonly plainHttp: boolean
}

interface FormWallets {
  /** The wallet providers' scripts by exact address. */
  readonly scripts: readonly string[]
  /** Paths of the sandbox's stand-in are allowed. */
  readonly simulator: boolean
}

/**
 * Submit is an event that `allow-forms` lets happen at all; the SDK listens to it. The way to a bank is a link of the payer's, in a window
 * that must not inherit the sandbox, or a navigation of the document itself, which needs no permission.
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
    // Frames are the wallets' alone: issuers are visited by navigation.
    `frame-src ${providers.length === 0 ? "'none'" : providers.join(' ')}`,
    "worker-src 'none'",
    // The SDK sends what was entered; no form of the document goes anywhere by itself.
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${embedders}`,
    `report-uri ${reportPath}`,
    'report-to page',
  ].join('; ')
}
