/** Queries the acquirer for the status of a transaction. The caller settles the answer. */
import type { Answer } from '../../connectors/connector.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

export async function queryStatus(
  deps: Deps,
  payment: Pick<PaymentRecord, 'id'>,
  { id: transactionId, midId, reference }: TransactionRecord,
): Promise<Answer> {
  const acquirer = await deps.acquirers.of(midId)
  return acquirer.status({ transactionId, paymentId: payment.id, reference })
}
