/** Asks for a transaction that does not exist, which only known credentials may. */
import type { CredentialsCheck } from '../connector.ts'
import { jsonBody, WireFault } from '../wire.ts'
import type { CybersourceWire } from './credentials.ts'

const question = {
  save: false,
  query: 'clientReferenceInformation.code:gatehouse-credentials-check',
  offset: 0,
  limit: 1,
  sort: 'submitTimeUtc:desc',
}

export async function checkCredentials(wire: CybersourceWire): Promise<CredentialsCheck> {
  try {
    const { status } = await wire.post('/tss/v2/searches', jsonBody(question))
    if (status === 201) return { kind: 'accepted' }
    // CyberSource does not say which of the three is wrong.
    if (status === 401)
      return refuse(
        'CyberSource refuses the merchant ID, the key or its shared secret, or they belong to the other environment.',
      )
    if (status === 403) return refuse('The key may not use Transaction Search, which finds payments without an answer.')
    return { kind: 'no-answer', text: `CyberSource answered ${status}.` }
  } catch (fault) {
    if (fault instanceof WireFault) return { kind: 'no-answer', text: fault.message }
    throw fault
  }
}

const refuse = (text: string): CredentialsCheck => ({ kind: 'refused', field: null, text })
