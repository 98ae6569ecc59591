/** Of the stand-in: a host has the test cards that its acquirer issues. Give those with `--cards`. */
import type { TestCards } from '../../contracts/test-cards.ts'

const card = { number: '4111111111111111', expiryYear: 2038, verificationCode: '123' }
export const testCards: TestCards = {
  approved: { ...card, expiryMonth: 1 },
  declined: { ...card, expiryMonth: 2 },
  authenticated: null,
}
