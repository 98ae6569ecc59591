/** Everything that the panel's operations reach: the office, the gateway's own operations and configuration, and how it was started. */
import type { BrandColours, BrandTemplate } from '#domain/checkout/branding.ts'
import type { Foundation } from '../assembly/foundation.ts'
import type { Log } from '../contracts/ports.ts'
import type { LiveFinding } from '../live-guard/finding.ts'
import type { PrivateAcquirers } from '../network/acquirer-address.ts'
import type { Operations } from '../payments/index.ts'
import type { MovableClock } from '../process/clock.ts'
import { StartupError } from '../process/startup-error.ts'
import type { LoadedConfiguration } from '../store/configuration/configuration.ts'
import type { Pool } from '../store/database/pool.ts'
import type { DomainFault } from '../wallets/accounts/domain-plan.ts'
import { machineTime, type SignInDesk } from './desk.ts'
import { type RefundLimits, readRefundLimits } from './payments/refund-limit.ts'

export interface Panel extends SignInDesk {
  readonly pool: Pool
  /** The instance's, which the panel of a sandbox moves. */
  readonly clock: MovableClock
  readonly operations: Operations
  readonly configuration: LoadedConfiguration
  readonly log: Log
  readonly instanceMode: 'sandbox' | 'live'
  readonly sandboxUrl: string | null
  /** Whom new wallet settings believe. */
  readonly walletTrust: 'wallet maker' | 'sandbox authority'
  /** Below which merchants have hosts of their own. */
  readonly checkoutDomain: string | null
  /** What wallet B calls this service. */
  readonly walletGateway: string
  /** Whether a domain serves the file that proves it; null when it does. */
  readonly checkDomain: (domain: string, expected: Buffer) => Promise<DomainFault | null>
  /** Above these a refund needs a second person. */
  readonly refundLimits: RefundLimits
  readonly privateAcquirers: PrivateAcquirers
  /** What is wrong with a live instance; nothing for a sandbox. */
  readonly findings: () => Promise<readonly LiveFinding[]>
  /** As browsers reach the panel, without a path: passkeys and the check of origins follow it. */
  readonly panelUrl: () => string
  /** The hosted page with a look that need not be saved, for a frame of the panel. */
  readonly previewPage: (look: PreviewedLook, language: string) => PreviewedPage
}

interface PreviewedLook {
  readonly name: string
  readonly template: BrandTemplate
  readonly colours: BrandColours
  /** One that is saved, or one that is not, as a `data:` address. */
  readonly logo: { readonly hash: string } | { readonly address: string } | null
}

interface PreviewedPage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Parts = Pick<
  Panel,
  'operations' | 'configuration' | 'sandboxUrl' | 'panelUrl' | 'previewPage' | 'checkDomain' | 'findings'
>

export function panelOf({ config, pool, vault, clock, ids, log }: Foundation, parts: Parts): Panel {
  const refundLimits = readRefundLimits(config.refundApproval)
  if (refundLimits === null)
    throw new StartupError('REFUND_APPROVAL is not valid.', 'Write for example EUR:500,*:1000.')
  const { instanceMode, wallets, signIn: rules, privateAcquirers } = config
  const machine = machineTime(clock)
  const { trustSource: walletTrust, gateway: walletGateway, checkoutDomain } = wallets
  const walletTerms = { walletTrust, walletGateway, checkoutDomain }
  const office = { pool, vault, clock, ids, log, machine }
  return { ...parts, ...office, rules, instanceMode, privateAcquirers, ...walletTerms, refundLimits }
}
