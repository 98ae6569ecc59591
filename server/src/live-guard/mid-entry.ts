/** Which MIDs a live instance refuses to store. */
import { addressFault, type PrivateAcquirers } from '../network/acquirer-address.ts'

export interface EnteredMid {
  readonly mode: 'live' | 'test'
  readonly connector: string
  readonly enabled: boolean
  /** Null if the credentials stay unchanged. */
  readonly baseUrl: string | null
}

export interface MidTerms {
  readonly instanceMode: 'live' | 'sandbox'
  readonly privateAcquirers: PrivateAcquirers
}

interface MidFault {
  readonly field: 'connector' | 'credentials.base_url'
  readonly text: string
}

export function midFault({ instanceMode, privateAcquirers }: MidTerms, entered: EnteredMid): MidFault | null {
  if (instanceMode !== 'live') return null
  const { mode, connector, enabled, baseUrl } = entered
  if (connector === 'sandbox' && mode === 'live' && enabled)
    return { field: 'connector', text: 'A live MID of a live instance cannot use the sandbox connector.' }
  const fault = baseUrl === null ? null : addressFault(baseUrl, privateAcquirers)
  return fault === null ? null : { field: 'credentials.base_url', text: fault }
}
