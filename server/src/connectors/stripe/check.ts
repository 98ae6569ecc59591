/** Asks for the balance, which moves nothing and needs a valid key. */
import type { CredentialsCheck } from '../connector.ts'
import { WireFault } from '../wire.ts'
import type { StripeWire } from './credentials.ts'

export async function checkCredentials(wire: StripeWire): Promise<CredentialsCheck> {
  try {
    const { status } = await wire.get('/v1/balance')
    return judge(status, wire)
  } catch (fault) {
    if (!(fault instanceof WireFault)) throw fault
    return { kind: 'no-answer', text: 'Stripe could not be reached.' }
  }
}

function judge(status: number, { credentials: { account_id } }: StripeWire): CredentialsCheck {
  switch (status) {
    case 200:
      return { kind: 'accepted' }
    case 401:
      return { kind: 'refused', field: 'secret_key', text: 'Stripe does not know the secret key, or it was rolled.' }
    case 403:
      return account_id === undefined
        ? { kind: 'refused', field: 'secret_key', text: 'The key may not read the balance. Give it that permission.' }
        : { kind: 'refused', field: 'account_id', text: 'The key may not act for the connected account.' }
    default:
      return { kind: 'no-answer', text: `Stripe answered ${status}.` }
  }
}
