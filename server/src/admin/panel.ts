/** Everything that the panel's operations reach: the office, the gateway's own operations and configuration, and how it was started. */
import type { MovableClock } from '../clock.ts'
import type { Foundation } from '../foundation.ts'
import type { Operations } from '../operations/index.ts'
import type { Log } from '../ports.ts'
import { StartupError } from '../startup-error.ts'
import type { LoadedConfiguration } from '../store/configuration.ts'
import { type AdminDesk, machineTime } from './desk.ts'
import { type RefundLimits, readRefundLimits } from './refund-limit.ts'

export interface Panel extends AdminDesk {
  /** The instance's, which the panel of a sandbox moves. */
  readonly clock: MovableClock
  readonly operations: Operations
  readonly configuration: LoadedConfiguration
  readonly log: Log
  readonly mode: 'sandbox' | 'live'
  readonly sandboxUrl: string | null
  /** Whom new wallet settings believe. */
  readonly walletTrust: 'wallet maker' | 'sandbox authority'
  /** Above these a refund needs a second person. */
  readonly refundLimits: RefundLimits
  readonly publicUrl: () => string
}

type Parts = Pick<Panel, 'operations' | 'configuration' | 'sandboxUrl' | 'publicUrl'>

export function panelOf({ config, pool, vault, clock, ids, log }: Foundation, parts: Parts): Panel {
  const refundLimits = readRefundLimits(config.refundApproval)
  if (refundLimits === null)
    throw new StartupError('REFUND_APPROVAL cannot be read.', 'Write for example EUR:500,*:1000.')
  const { mode, wallets } = config
  const machine = machineTime(clock)
  return { ...parts, pool, vault, clock, ids, log, machine, mode, walletTrust: wallets.trustSource, refundLimits }
}
