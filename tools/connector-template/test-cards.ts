/** From the acquirer's list of test cards. */
import type { TestCards } from '#server/contracts/test-cards.ts'

const card = { expiryMonth: 1, expiryYear: 2038, verificationCode: '123' }

export const testCards: TestCards = {
  approved: { ...card, number: '4111111111111111' },
  declined: null,
  authenticated: null,
}
