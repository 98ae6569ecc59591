/**
 * What a field's frame and the script on the merchant's page say to each other. Chapter 30 §8.3.
 *
 * The frame greets the page that holds it, the page answers with a welcome that carries one end of a channel, and all else goes
 * through that channel, which nobody but the two can hear. None of it ever holds what the payer typed.
 */
export type FieldName = 'card' | 'expiry' | 'cvv'

export const fieldNames: readonly FieldName[] = ['card', 'expiry', 'cvv']

/** Frame to page, to whichever page it is: it tells nothing but that the frame is there. */
export interface Greeting {
  readonly gatehouse: 'field'
  readonly field: FieldName
}

/** Page to frame, once, with the port of the channel. */
export interface Welcome {
  readonly gatehouse: 'welcome'
  readonly token: string
  readonly style: FieldStyle
  readonly placeholder: string
  /** A code of chapter 30 §7.6. */
  readonly language: string
}

/** Properties by selector, `input` or `::placeholder`. */
export type FieldStyle = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Page to frame, through the channel. */
export type Order =
  /** Is what was typed valid? Answered by `answer`. */
  | { readonly order: 'check'; readonly number: number }
  /** Send it to the service. Answered by `answer`. */
  | { readonly order: 'send'; readonly number: number }
  | { readonly order: 'focus' }
  /** The network of the card, by which the frame of the code knows its length. */
  | { readonly order: 'brand'; readonly brand: string }

/** Frame to page, through the channel. */
export type Report =
  | { readonly report: 'ready'; readonly label: string; readonly heightPx: number }
  | { readonly report: 'input'; readonly data: FieldInput }
  | { readonly report: 'focus' }
  | { readonly report: 'blur' }
  | { readonly report: 'answer'; readonly number: number; readonly fault: Fault | null }

export interface FieldInput {
  readonly valid: boolean
  readonly empty: boolean
  /** The card's network, `''` while it is not known. Only of the card's field. */
  readonly brand?: string
}

export interface Fault {
  /** In the payer's language where the payer can mend it. */
  readonly message: string
  /** False when the field is not to blame: the session is over, or the service is away. */
  readonly ofField: boolean
}
