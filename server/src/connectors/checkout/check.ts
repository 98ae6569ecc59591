/** Asks two harmless questions: for payments that do not exist, and for a token of nothing. The answers tell which key is wrong. */
import type { CredentialsCheck } from '../connector.ts'
import { jsonBody, type Wire, WireFault } from '../wire.ts'
import { type CheckoutCredentials, usesAccessKey } from './credentials.ts'

type CheckoutWire = Wire<CheckoutCredentials>

export async function checkCredentials(wire: CheckoutWire): Promise<CredentialsCheck> {
  try {
    return (await checkPayments(wire)) ?? (await checkTokens(wire)) ?? { kind: 'accepted' }
  } catch (fault) {
    // An access key that is refused, and one that could not be sent, look the same from here.
    if (fault instanceof WireFault) return { kind: 'no-answer', text: `${fault.message}${accessKeyHint(wire)}` }
    throw fault
  }
}

const accessKeyHint = ({ credentials }: CheckoutWire): string =>
  usesAccessKey(credentials) ? ' Check the access key ID, its secret, and the base URL prefix.' : ''

async function checkPayments(wire: CheckoutWire): Promise<CredentialsCheck | null> {
  const { status } = await wire.get('/payments?reference=gatehouse-credentials-check&limit=1')
  const field = usesAccessKey(wire.credentials) ? 'access_key_id' : 'secret_key'
  if (status === 401)
    return refuse(field, 'Checkout.com does not know the key, or it belongs to the other environment.')
  if (status === 403) return refuse(field, 'The key may not read payments: allow it the scope gateway.')
  return status === 200 ? null : { kind: 'no-answer', text: `Checkout.com answered ${status}.` }
}

/** Without a card in it the request is refused as invalid, which only a known key achieves. */
async function checkTokens(wire: CheckoutWire): Promise<CredentialsCheck | null> {
  if (wire.credentials.public_key === undefined || usesAccessKey(wire.credentials)) return null
  const { status } = await wire.post('/tokens', jsonBody({ type: 'card' }))
  return status === 401 ? refuse('public_key', 'Checkout.com does not know the public key.') : null
}

const refuse = (field: string, text: string): CredentialsCheck => ({ kind: 'refused', field, text })
