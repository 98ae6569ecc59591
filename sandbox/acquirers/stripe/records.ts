/** What the stand-in for Stripe remembers. Of a card only its network and the last four digits are stored. */
import { randomBytes } from 'node:crypto'
import type { LimitedBrand } from '../kit/card-brands.ts'
import type { DisputeAnswer } from '../kit/dispute-pages.ts'

export interface PaymentError {
  readonly type: string
  readonly code: string
  readonly decline_code?: string
  readonly message: string
}

export interface IntentRecord {
  readonly object: 'payment_intent' | 'setup_intent'
  readonly id: string
  /** `live` or `test`. */
  readonly account: string
  /** In Stripe's own units. */
  readonly amount: number
  readonly currency: string
  readonly captureMethod: 'automatic' | 'manual'
  /** Seconds. */
  readonly created: number
  readonly status: 'requires_payment_method' | 'requires_action' | 'requires_capture' | 'succeeded' | 'canceled'
  readonly metadata: Readonly<Record<string, string>>
  readonly paymentMethod: string
  readonly customer: string | null
  readonly lastFour: string
  /** Absent in records of earlier releases. */
  readonly brand?: LimitedBrand | null
  readonly hasCvc: boolean
  /** Of a charge that was tried. */
  readonly charge: string | null
  readonly amountReceived: number
  readonly amountRefunded: number
  readonly error: PaymentError | null
  readonly cancellationReason: string | null
  readonly page: Page | null
  /** What the card does after it was charged: a name of `afterwards` in test-cards.ts. */
  readonly afterwards: string | null
}

interface Page {
  /** Secret: it decides the payment. */
  readonly key: string
  readonly url: string
  readonly returnUrl: string
  /** How the charge ends once the payer has approved. */
  readonly declineCode: string | null
  readonly isDecided: boolean
}

export interface RefundRecord {
  readonly object: 'refund'
  readonly id: string
  readonly account: string
  readonly intent: string
  readonly charge: string
  readonly amount: number
  readonly currency: string
  readonly created: number
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly metadata: Readonly<Record<string, string>>
  readonly transactionId: string
}

export interface DisputeRecord {
  readonly object: 'dispute'
  readonly id: string
  readonly account: string
  readonly intent: string
  readonly charge: string
  readonly amount: number
  readonly currency: string
  readonly created: number
  readonly reason: string
  readonly status:
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost'
    | 'warning_needs_response'
    | 'warning_under_review'
    | 'warning_closed'
  /** It has withdrawn nothing. Absent in records of earlier releases. */
  readonly isInquiry?: boolean
  readonly answer?: DisputeAnswer
}

/** An uploaded file, without its content. */
export interface FileRecord {
  readonly object: 'file'
  readonly id: string
  readonly account: string
  readonly type: string
  readonly size: number
  readonly sha256: string
  /** Absent in records of earlier releases. */
  readonly pages?: number
}

/** A wallet's token that was taken in exchange, or a customer. */
interface PlainRecord {
  readonly object: 'token' | 'customer'
  readonly id: string
  readonly account: string
}

export type Item = IntentRecord | RefundRecord | DisputeRecord | FileRecord | PlainRecord

/** Newest state of each, in the order in which they were made. */
export class Records {
  readonly #items = new Map<string, Item>()

  readonly enter = (item: Item): void => {
    this.#items.set(item.id, item)
  }

  find<Kind extends Item['object']>(kind: Kind, account: string, id: string): ItemOf<Kind> | undefined {
    const item = this.#items.get(id)
    return item && isOf(item, kind) && item.account === account ? item : undefined
  }

  /** Newest first, as Stripe lists them. */
  list<Kind extends Item['object']>(kind: Kind, account?: string): readonly ItemOf<Kind>[] {
    const all = [...this.#items.values()].filter((item) => isOf(item, kind))
    return all.filter((item) => account === undefined || item.account === account).toReversed()
  }

  atPage(key: string): IntentRecord | undefined {
    const intents = [...this.list('payment_intent'), ...this.list('setup_intent')]
    return intents.find(({ page }) => page?.key === key)
  }
}

type ItemOf<Kind extends Item['object']> = Item & { readonly object: Kind }

const isOf = <Kind extends Item['object']>(item: Item, kind: Kind): item is ItemOf<Kind> => item.object === kind

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`
