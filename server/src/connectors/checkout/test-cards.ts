/** As the stand-in knows them. The approved and the authenticated card are its own choice: give yours with `--cards` on the real test host. */
import type { TestCards } from '../../contracts/test-cards.ts'

const card = { expiryMonth: 12, expiryYear: 2038, verificationCode: '100' }
export const testCards: TestCards = {
  approved: { ...card, number: '4111111111111111' },
  declined: { ...card, number: '4544249167673670' },
  authenticated: { ...card, number: '4242424242424242' },
}
