/** From https://docs.stripe.com/testing. */
import type { TestCards } from '../../contracts/test-cards.ts'

const card = { expiryMonth: 12, expiryYear: 2038, verificationCode: '123' }
export const testCards: TestCards = {
  approved: { ...card, number: '4242424242424242' },
  declined: { ...card, number: '4000000000000002' },
  authenticated: { ...card, number: '4000002760003184' },
}
