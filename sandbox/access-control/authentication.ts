/** The words of the issuer's side. Names are those of the EMV 3-D Secure messages where these have one. */
import type { CardNetwork } from '#domain/card.ts'

/** Y: authenticated. N: not authenticated. C: the payer has to act first. */
type TransStatus = 'Y' | 'N' | 'C'

/** What the journal keeps of a request: never a card number. */
interface AuthenticationRecord {
  readonly kind: 'authentication'
  readonly threeDSServerTransID: string
  readonly dsTransID: string
  readonly acsTransID: string
  readonly paymentId: string
  readonly card: string
  readonly network: CardNetwork | null
  /** Minor units, as text because JSON has no whole numbers of this size. */
  readonly amount: string
  readonly currency: string
  readonly merchantName: string
  /** Where the payer's browser takes the outcome of a challenge. */
  readonly notificationURL: string
  /** BCP 47. */
  readonly language: string
  readonly transStatus: 'Y' | 'C'
  /** Milliseconds on the test clock. */
  readonly at: number
}

/** A challenge came to its end. */
interface ResultRecord {
  readonly kind: 'result'
  readonly threeDSServerTransID: string
  readonly transStatus: 'Y' | 'N'
  readonly at: number
}

export type JournalRecord = AuthenticationRecord | ResultRecord

export interface Authentication {
  readonly record: AuthenticationRecord
  /** Null while nothing came of a challenge, and where there was none. */
  result: ResultRecord | null
}

export const transStatusOf = ({ record, result }: Authentication): TransStatus =>
  result?.transStatus ?? record.transStatus

/** The electronic commerce indicator, which every network numbers in its own way. */
export function eciOf(network: CardNetwork | null, transStatus: 'Y' | 'N'): string {
  const [authenticated, failed] = network === 'mastercard' || network === 'maestro' ? ['02', '00'] : ['05', '07']
  return transStatus === 'Y' ? authenticated : failed
}
