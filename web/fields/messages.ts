/**
 * The messages between a field's frame and the script on the merchant's page. Chapter 30 §8.3.
 *
 * The frame greets the page that embeds it, the page answers with a welcome that carries one end of a message channel, and everything else
 * goes through that private channel. No message ever contains what the payer typed.
 */
export type FieldName = 'card' | 'expiry' | 'cvv'

export const fieldNames: readonly FieldName[] = ['card', 'expiry', 'cvv']

/** Frame to page, to any origin: it only says that the frame is loaded. */
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

/** Properties by selector: `input`, `::placeholder`, `:focus`, `:invalid`. */
export type FieldStyle = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Page to frame, through the channel. */
export type Order =
  /** Tells the service that a collection begins, which erases the values of an earlier one. Answered by `answer`. */
  | { readonly order: 'begin'; readonly number: number; readonly collection: string }
  /** Asks whether the input is valid. Scripts of earlier releases name no collection and never begin one. Answered by `answer`. */
  | { readonly order: 'check'; readonly number: number; readonly collection?: string; readonly codeOptional?: boolean }
  /** Sends the value to the service. Answered by `answer`. */
  | { readonly order: 'send'; readonly number: number; readonly collection?: string; readonly last?: boolean }
  | { readonly order: 'focus' }
  /** The network of the card, which determines the length of the security code. */
  | { readonly order: 'brand'; readonly brand: string }

/** Frame to page, through the channel. */
export type Report =
  | { readonly report: 'ready'; readonly label: string; readonly heightPx: number }
  | { readonly report: 'input'; readonly data: FieldInput }
  | { readonly report: 'focus' }
  | { readonly report: 'blur' }
  | { readonly report: 'enter' }
  | {
      readonly report: 'answer'
      readonly number: number
      readonly fault: Fault | null
      /** Whether the security code may stay empty, which only the service knows. Only after `begin`. */
      readonly codeOptional?: boolean
    }

export interface FieldInput {
  readonly valid: boolean
  readonly empty: boolean
  /** The card's network, `''` while unknown. Only from the card number's field. */
  readonly brand?: string
}

export interface Fault {
  /** In the payer's language if the payer can correct it. */
  readonly message: string
  /** False if the field is not the cause: the session is over, or the service is unavailable. */
  readonly ofField: boolean
}
