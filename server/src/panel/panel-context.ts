/**
 * Everything that the panel's operations need: the setup context, the gateway's operations and configuration, and how the instance was
 * started.
 */
import type { BrandColours, BrandTemplate } from '#domain/checkout/branding.ts'
import type { ProcessContext } from '../assembly/process-context.ts'
import type { AlertSender } from '../contracts/alert-ports.ts'
import type { Acquirers, Log } from '../contracts/ports.ts'
import type { SessionTokens } from '../contracts/session-ports.ts'
import type { LiveFinding } from '../live-guard/finding.ts'
import type { PrivateAcquirers } from '../network/acquirer-address.ts'
import type { Operations } from '../payments/index.ts'
import { type MovableClock, machineTime } from '../process/clock.ts'
import { StartupError } from '../process/startup-error.ts'
import type { LoadedConfiguration } from '../store/configuration/configuration.ts'
import type { Pool } from '../store/database/pool.ts'
import type { ReadSource } from '../store/instance/read-source.ts'
import type { DomainFault } from '../wallets/accounts/domain-plan.ts'
import type { SignInContext } from './context.ts'
import { type RefundLimits, readRefundLimits } from './payments/refund-limit.ts'
import { type SingleSignOn, singleSignOn } from './single-sign-on/provider.ts'

export interface PanelContext extends SignInContext {
  readonly pool: Pool
  /** The source of searches, figures and exports only: it may lack the last changes. */
  readonly reports: ReadSource
  /** The instance's clock, which the panel of a sandbox can move. */
  readonly clock: MovableClock
  readonly operations: Operations
  readonly configuration: LoadedConfiguration
  readonly acquirers: Acquirers
  readonly log: Log
  readonly instanceMode: 'sandbox' | 'live'
  /** A mail server is configured. */
  readonly sendsMail: boolean
  /** Null if no identity provider is configured. */
  readonly singleSignOn: SingleSignOn | null
  readonly alertSender: Pick<AlertSender, 'send'>
  readonly sandboxUrl: string | null
  /** The trust source of new wallet settings; `wallet maker` is the stored word for the wallet provider. */
  readonly walletTrust: 'wallet maker' | 'sandbox authority'
  /** The domain under which merchants have their own hosts. */
  readonly checkoutDomain: string | null
  /** This service's name at wallet B. */
  readonly walletGateway: string
  /** Checks whether a domain serves its association file; null if it does. */
  readonly checkDomain: (domain: string, expected: Buffer) => Promise<DomainFault | null>
  /** A refund above these limits needs a second person. */
  readonly refundLimits: RefundLimits
  readonly privateAcquirers: PrivateAcquirers
  /** Where packages of connectors are installed. */
  readonly dataDir: string
  /** Safety findings of a live instance; none for a sandbox. */
  readonly listFindings: () => Promise<readonly LiveFinding[]>
  /** Aborted when this process is to end soon: work that would outlast it ends. */
  readonly ending: () => AbortSignal
  /** Ends the database connection of an import, also while imports hold all connections of the panel. */
  readonly endImport: (importId: string) => Promise<boolean>
  /** Where acquirers and merchants reach this instance, without a path. */
  readonly publicUrl: () => string
  /** Issues the tokens for the frames of the virtual terminal. */
  readonly sessionTokens: Pick<SessionTokens, 'issue'>
  /** The panel's address in browsers, without a path: passkeys and the origin check depend on it. */
  readonly panelUrl: () => string
  /** Renders the hosted page with an appearance that need not be saved, for a frame of the panel. */
  readonly previewPage: (look: PreviewedLook, language: string) => PreviewedPage
}

interface PreviewedLook {
  readonly name: string
  readonly template: BrandTemplate
  readonly colours: BrandColours
  /** A saved logo, or an unsaved one as a `data:` address. */
  readonly logo:
    | { readonly kind: 'saved'; readonly hash: string }
    | { readonly kind: 'unsaved'; readonly address: string }
    | null
}

interface PreviewedPage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type PanelParts = Pick<
  PanelContext,
  | 'reports'
  | 'operations'
  | 'configuration'
  | 'acquirers'
  | 'sandboxUrl'
  | 'publicUrl'
  | 'ending'
  | 'endImport'
  | 'sessionTokens'
  | 'panelUrl'
  | 'previewPage'
  | 'checkDomain'
  | 'alertSender'
  | 'listFindings'
>

export function panelContext(
  { config, pool, vault, clock, ids, log }: ProcessContext,
  parts: PanelParts,
): PanelContext {
  const refundLimits = readRefundLimits(config.refundApproval)
  if (refundLimits === null)
    throw new StartupError('REFUND_APPROVAL is not valid.', 'Write for example EUR:500,*:1000.')
  const { instanceMode, wallets, signIn: rules, privateAcquirers, dataDir } = config
  const machine = machineTime(clock)
  const { trustSource: walletTrust, gateway: walletGateway, checkoutDomain } = wallets
  const walletTerms = { walletTrust, walletGateway, checkoutDomain }
  const context = { pool, vault, clock, ids, log, machine }
  return {
    ...parts,
    ...context,
    rules,
    instanceMode,
    sendsMail: config.mail !== null,
    singleSignOn: config.singleSignOn && singleSignOn(config.singleSignOn),
    privateAcquirers,
    dataDir,
    ...walletTerms,
    refundLimits,
  }
}
