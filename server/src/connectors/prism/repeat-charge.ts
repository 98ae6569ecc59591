/** A charge without the payer: the package's flow for it, with what the first payment left. */
import type { Order, Outcome } from '../connector.ts'
import { refusedSend } from '../outcome.ts'
import { outcomeOf } from './answer.ts'
import { repeatMessage } from './messages/repeat.ts'
import { type PrismLink, performWithToken } from './perform.ts'
import { ownCustomerId, withAccessToken } from './prepare.ts'
import { credentialFor } from './stored-credential.ts'

export async function repeatCharge(operation: 'sale' | 'authorize', order: Order, link: PrismLink): Promise<Outcome> {
  const { row } = link
  const { amountMinor, currency, transactionId } = order
  const credential = credentialFor(order, row)
  if (credential === null || amountMinor === null)
    return refusedSend('The first payment left nothing with which this acquirer charges without the payer')
  if (operation === 'authorize' && !row.abilities.includes('repeat-hold'))
    return refusedSend('Without the payer this acquirer charges at once only')
  const reading = await performWithToken(link, {
    flow: 'charge',
    message: repeatMessage(order, credential, {
      isCaptured: operation === 'sale',
      prepared: await withAccessToken(link),
      ...(row.abilities.includes('stores-under-our-id') && { customerId: ownCustomerId(order) }),
      terms: row,
    }),
    idempotencyKey: transactionId,
    money: { amountMinor, currency, readBack: row.readBack.repeat },
  })
  return outcomeOf(operation, reading, row)
}
