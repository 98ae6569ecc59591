/** Queries the acquirer for the status of a transaction. The caller settles the answer. */
import type { Answer } from '../../connectors/connector.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'
import { readSentTransaction } from './sent-transaction.ts'

export async function queryStatus(deps: Deps, payment: PaymentRecord, transaction: TransactionRecord): Promise<Answer> {
  const acquirer = await deps.acquirers.find(transaction.midId)
  return acquirer.status(await readSentTransaction(deps, payment, transaction))
}
