/** A webhook of PayPal, parsed. */

export interface Webhook {
  readonly id: string
  readonly type: string
  readonly at: Date
  readonly resource: Readonly<Record<string, unknown>>
}
