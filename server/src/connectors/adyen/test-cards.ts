/** From Adyen's list of test cards; the name on the card chooses the reason of a decline. */
import type { TestCards } from '../../contracts/test-cards.ts'

const card = { expiryMonth: 3, expiryYear: 2030, verificationCode: '737' }
export const testCards: TestCards = {
  approved: { ...card, number: '4111111145551142' },
  declined: { ...card, number: '4111111145551142', holder: 'DECLINED' },
  authenticated: { ...card, number: '4917610000000000' },
}
