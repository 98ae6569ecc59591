/** Of the sandbox acquirer: the expiry chooses the outcome. Its payers authenticate at the MPI, not at the acquirer. */
import type { TestCards } from '../../contracts/test-cards.ts'

const card = { number: '4111111111111111', expiryYear: 2038, verificationCode: '123' }
export const testCards: TestCards = {
  approved: { ...card, expiryMonth: 1 },
  declined: { ...card, expiryMonth: 2 },
  authenticated: null,
}
