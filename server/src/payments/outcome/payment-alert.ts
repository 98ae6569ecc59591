/** Alerts about one payment. */
import type { AlertKind } from '#domain/alert/alert-kinds.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

export const raisePaymentAlert = (
  deps: Deps,
  kind: AlertKind,
  { merchantId, id: paymentId }: PaymentRecord,
  text: string,
): Promise<void> => deps.alerts.raise({ kind, merchantId, paymentId, text })
