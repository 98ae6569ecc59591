/** Formula 1 over the card in use, Formula 8 for a wallet token. A missing e-mail is left out. Chapter 10 §4.3. */
import { pan10 } from '#domain/card.ts'
import type { Secret } from '#domain/secret.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import type { Signed } from '../kit/action.ts'

export function startSignature(input: {
  readonly payer_email: string | undefined
  readonly card_number: Secret<string> | undefined
  readonly card_token: string | undefined
}): Signed {
  const email = input.payer_email
  if (input.card_number) {
    return { formula: cardFormulas.start, values: { email, pan10: pan10(input.card_number.reveal()) } }
  }
  if (input.card_token) return { formula: cardFormulas.startWithToken, values: { email, card_token: input.card_token } }
  return { formula: cardFormulas.wallet, values: { email } }
}
