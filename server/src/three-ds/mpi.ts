/**
 * The MPI service: who authenticates the payer by 3-D Secure before the card is charged. Chapter 50 §7.
 *
 * A merchant has one or none. An MPI never moves money, so that nothing is written before it is asked; what it found out goes into
 * the payment together with the intent.
 */
import type { BrowserFacts, ThreeDsFacts } from '#domain/payment/facts.ts'
import type { CardData, ExternalThreeDs } from '../connectors/connector.ts'
import type { JsonObject } from '../contracts/records.ts'

export interface AuthenticationRequest {
  readonly paymentId: string
  readonly amountMinor: bigint
  readonly currency: string
  /** The merchant as the payer knows it, for the issuer's page. */
  readonly merchantName?: string
  readonly card: CardData
  readonly payer: Readonly<Record<string, string>>
  readonly payerIp: string | null
  /** Where the payer's browser comes back to. */
  readonly returnUrl: string
  /** Known once the payer's browser has passed the collector page. */
  readonly browser: BrowserFacts | null
  readonly recurringInit: boolean
  readonly language: string
}

export type Authentication =
  /** The card takes no part in 3-D Secure, or nobody could tell: then the charge goes on without proof, and `facts` say so. */
  | { readonly result: 'not-needed'; readonly facts?: ThreeDsFacts }
  /** The payer's browser must be looked at first: send it to the collector page. */
  | { readonly result: 'collect' }
  | { readonly result: 'authenticated'; readonly facts: ThreeDsFacts; readonly data: ExternalThreeDs }
  | {
      readonly result: 'challenge'
      readonly facts: ThreeDsFacts
      readonly url: string
      readonly method: 'GET' | 'POST'
      readonly params: Readonly<Record<string, string>>
      /** Kept with the step and given back with the return. */
      readonly state: JsonObject
    }
  | { readonly result: 'failed'; readonly reason: string; readonly facts: ThreeDsFacts | null }
  /** No answer: neither a yes nor a no of the issuer. */
  | { readonly result: 'unavailable'; readonly reason: string }

export interface Mpi {
  authenticate(request: AuthenticationRequest): Promise<Authentication>
  /** What became of a challenge; `fields` is what the payer's browser brought back. */
  result(about: {
    readonly paymentId: string
    readonly state: JsonObject
    readonly fields: Readonly<Record<string, string>>
  }): Promise<Authentication>
}

type MpiName = 'sandbox' | 'external'

/** Null when the service is not configured on this instance. */
export type Mpis = Readonly<Record<MpiName, Mpi | null>>
