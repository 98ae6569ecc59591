/** Values of a payment that its later requests and callbacks are signed with. Store them with the payment. */
export interface KnownPayment {
  /** The `payer_email` of the payment. */
  readonly email?: string | undefined
  /** The card's number, its mask as answers and callbacks show it, or its first six and last four digits. */
  readonly card?: string | undefined
}

export function paymentValues({ email, card }: KnownPayment): Readonly<Record<string, string>> {
  return {
    ...(email !== undefined && { email, payer_email: email }),
    ...(card !== undefined && { pan10: pan10(card) }),
  }
}

export const pan10 = (card: string): string => card.slice(0, 6) + card.slice(-4)
