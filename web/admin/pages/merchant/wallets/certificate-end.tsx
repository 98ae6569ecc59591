/** When the certificate of a key expires, and how many days are left. */
import type { JSX } from 'preact'
import { Badge } from '../../../kit/badge.tsx'
import { DateTime } from '../../../kit/values/date-time.tsx'
import { daysLeft, daysText, urgency } from './days-left.ts'
import type { WalletView } from './wallet-record.ts'

interface CertificateEndProps {
  readonly walletKey: WalletView['keys'][number]
  readonly now: string
}

export function CertificateEnd({ walletKey: { certificateUntil, state }, now }: CertificateEndProps): JSX.Element {
  if (certificateUntil === null) return <span class="faint">no certificate</span>
  const days = daysLeft(certificateUntil, now)
  return (
    <span class="cell-parts">
      <DateTime at={certificateUntil} /> {state !== 'retired' && <Badge tone={urgency(days)}>{daysText(days)}</Badge>}
    </span>
  )
}
