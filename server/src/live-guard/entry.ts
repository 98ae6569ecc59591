/** What a live instance refuses to store: MIDs without an acquirer, and payouts that only a hash protects. */
import type { MappingOptions } from '#domain/mapping.ts'
import { addressFault, type PrivateAcquirers } from '../network/acquirer-address.ts'

export interface EnteredMid {
  readonly mode: 'live' | 'test'
  readonly connector: string
  readonly enabled: boolean
  /** To which the MID may send; empty if the credentials stay unchanged. */
  readonly addresses: readonly string[]
}

export interface MidTerms {
  readonly instanceMode: 'live' | 'sandbox'
  readonly privateAcquirers: PrivateAcquirers
}

interface MidFault {
  readonly field: 'connector' | 'credentials.base_url' | 'credentials.host'
  readonly text: string
}

export function midFault({ instanceMode, privateAcquirers }: MidTerms, entered: EnteredMid): MidFault | null {
  if (instanceMode !== 'live') return null
  const { mode, connector, enabled, addresses } = entered
  if (connector === 'sandbox' && mode === 'live' && enabled)
    return { field: 'connector', text: 'A live MID of a live instance cannot use the sandbox connector.' }
  for (const address of addresses) {
    const text = addressFault(address, privateAcquirers)
    // A line is entered as host and port.
    if (text !== null) return { field: /^(tls|tcp):/.test(address) ? 'credentials.host' : 'credentials.base_url', text }
  }
  return null
}

export const payoutRemedy =
  'Enter the addresses of the merchant’s servers as allowed addresses, or set requestSignature to required.'

interface PayoutProtection extends Pick<MappingOptions, 'payouts'> {
  readonly requestSignature?: string
}

/** The hash of a payout does not cover its recipient, so that it must not be the only protection. */
export const isOpenPayout = (
  { payouts, requestSignature }: PayoutProtection,
  { allowedIps }: { readonly allowedIps: readonly string[] },
): boolean => payouts && allowedIps.length === 0 && requestSignature !== 'required'

/** Null if a live instance may store the options. Payouts that were open before are reported instead, because their merchants rely on them. */
export function payoutFault(
  instanceMode: MidTerms['instanceMode'],
  merchant: { readonly allowedIps: readonly string[] },
  { before, after }: { readonly before: PayoutProtection | undefined; readonly after: PayoutProtection },
): string | null {
  const isOpened = isOpenPayout(after, merchant) && !(before && isOpenPayout(before, merchant))
  return instanceMode === 'live' && isOpened
    ? `A live instance needs more than the hash for payouts. ${payoutRemedy}`
    : null
}
