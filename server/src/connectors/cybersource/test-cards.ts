/**
 * For our stand-in for CyberSource, which declines by the amount. CyberSource's own test environment does so, too, but its amounts differ by
 * processor: give yours with `--cards`.
 */
import type { TestCards } from '../../contracts/test-cards.ts'

const card = { number: '4111111111111111', expiryMonth: 12, expiryYear: 2031, verificationCode: '123' }
export const testCards: TestCards = {
  approved: card,
  declined: { ...card, amount: '2204' },
  authenticated: null,
}
