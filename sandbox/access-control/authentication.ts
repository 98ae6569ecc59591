/** The types of the issuer. Names follow the EMV 3-D Secure messages where these have one. */
import type { CardNetwork } from '#domain/card.ts'

/** Y: authenticated. N: not authenticated. C: challenge required. */
type TransStatus = 'Y' | 'N' | 'C'

/** What the journal stores of a request: never a card number. */
interface AuthenticationRecord {
  readonly kind: 'authentication'
  readonly threeDSServerTransID: string
  readonly dsTransID: string
  readonly acsTransID: string
  readonly paymentId: string
  readonly card: string
  readonly network: CardNetwork | null
  /** Minor units as text, because JSON numbers of this size lose precision. */
  readonly amount: string
  readonly currency: string
  readonly merchantName: string
  /** The address to which the payer's browser takes the result of a challenge. */
  readonly notificationURL: string
  /** BCP 47. */
  readonly language: string
  readonly transStatus: 'Y' | 'C'
  /** Milliseconds on the test clock. */
  readonly at: number
}

/** The end of a challenge. */
interface ResultRecord {
  readonly kind: 'result'
  readonly threeDSServerTransID: string
  readonly transStatus: 'Y' | 'N'
  readonly at: number
}

export type JournalRecord = AuthenticationRecord | ResultRecord

export interface Authentication {
  readonly record: AuthenticationRecord
  /** Null before the challenge has ended, and without a challenge. */
  result: ResultRecord | null
}

export const transStatusOf = ({ record, result }: Authentication): TransStatus =>
  result?.transStatus ?? record.transStatus

/** The electronic commerce indicator; each network has its own numbers. */
export function eciOf(network: CardNetwork | null, transStatus: 'Y' | 'N'): string {
  const [authenticated, failed] = network === 'mastercard' || network === 'maestro' ? ['02', '00'] : ['05', '07']
  return transStatus === 'Y' ? authenticated : failed
}

/** The issuer of American Express cards refuses to be shown in a frame. */
export const allowsFrame = ({ record: { network } }: Authentication): boolean => network !== 'amex'
