/** The data of a charge without the payer. All of it is read from the store; there is no verification code. */
import type { PaymentRecord } from '../../contracts/records.ts'
import type { ChargeData } from '../exchange/charge.ts'
import type { Deps } from '../request/deps.ts'
import { openPayeeCard, readCardOfPayment } from './card.ts'
import { credentialsStoredBy } from './chain-credentials.ts'
import { readSentParameters } from './prepare-brand.ts'
import { chainWallet, readStoredWallet } from './stored-wallet.ts'

/** Null if the card, or the wallet's token or cryptogram, is no longer stored. */
export async function readStoredCharge(deps: Deps, payment: PaymentRecord): Promise<ChargeData | null> {
  if (payment.facts.brand && !payment.facts.wallet) {
    return { card: null, parameters: await readSentParameters(deps, payment) }
  }
  const card = await readCardOfPayment(deps, payment)
  if (payment.facts.wallet) return readStoredWallet(deps, payment, card)
  if (!card) return null
  const chain =
    payment.recurring && payment.chainId ? await deps.chains.find(payment.merchantId, payment.chainId) : null
  const first = chain && (await deps.payments.find(payment.merchantId, chain.firstPayment))
  return {
    card: card.data,
    wallet: chainWallet(first, card),
    payeeCard: await openPayeeCard(deps, payment),
    networkTransactionId: chain?.networkTransactionId ?? null,
    chainCredentials: credentialsStoredBy(first),
  }
}
