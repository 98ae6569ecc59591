/**
 * The MPI service, which authenticates the payer by 3-D Secure before the card is charged. Chapter 50 §7.
 *
 * A merchant has one or none. An MPI never moves money, so nothing is written before the call; its result is written together with the
 * intent.
 */
import type { BrowserFacts, ThreeDsFacts } from '#domain/payment/facts.ts'
import type { CardData, ExternalThreeDs } from '../connectors/connector.ts'
import type { JsonObject } from '../contracts/records.ts'

export interface AuthenticationRequest {
  readonly paymentId: string
  readonly amountMinor: bigint
  readonly currency: string
  /** The merchant's name for the payer, shown on the issuer's page. */
  readonly merchantName?: string
  readonly card: CardData
  readonly payer: Readonly<Record<string, string>>
  readonly payerIp: string | null
  /** Where the payer's browser returns. */
  readonly returnUrl: string
  /** Known once the payer's browser has passed the collector page. */
  readonly browser: BrowserFacts | null
  readonly recurringInit: boolean
  readonly language: string
}

export type Authentication =
  /** The card is not enrolled in 3-D Secure, or its status is undetermined: the charge continues without proof, and `facts` say so. */
  | { readonly result: 'not-needed'; readonly facts?: ThreeDsFacts }
  /** Browser data is missing: send the payer to the collector page first. */
  | { readonly result: 'collect' }
  | { readonly result: 'authenticated'; readonly facts: ThreeDsFacts; readonly data: ExternalThreeDs }
  | {
      readonly result: 'challenge'
      readonly facts: ThreeDsFacts
      readonly url: string
      readonly method: 'GET' | 'POST'
      readonly params: Readonly<Record<string, string>>
      /** Stored with the step and passed back on return. */
      readonly state: JsonObject
    }
  | { readonly result: 'failed'; readonly reason: string; readonly facts: ThreeDsFacts | null }
  /** No answer: the issuer neither confirmed nor refused. */
  | { readonly result: 'unavailable'; readonly reason: string }

export interface Mpi {
  authenticate(request: AuthenticationRequest): Promise<Authentication>
  /** The result of a challenge; `fields` are what the payer's browser brought back. */
  readResult(about: {
    readonly paymentId: string
    readonly state: JsonObject
    readonly fields: Readonly<Record<string, string>>
  }): Promise<Authentication>
}

type MpiName = 'sandbox' | 'external'

/** Null if the service is not configured on this instance. */
export type Mpis = Readonly<Record<MpiName, Mpi | null>>
