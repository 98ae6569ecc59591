/** The name on the card chooses the reason of a decline. The approved number is the stand-in's: give yours with `--cards` on the real test host. */
import type { TestCards } from '../../contracts/test-cards.ts'

const card = { expiryMonth: 1, expiryYear: 2038, verificationCode: '123' }
export const testCards: TestCards = {
  approved: { ...card, number: '4111111111111111' },
  declined: { ...card, number: '4111111111111111', holder: 'CCREJECT-REFUSED' },
  authenticated: { ...card, number: '4868719166101368' },
}
