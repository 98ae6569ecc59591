/** Which MIDs a live instance refuses to store. */
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
