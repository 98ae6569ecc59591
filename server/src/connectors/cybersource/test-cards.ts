/** As the stand-in knows them: it declines by the amount, as the simulator does, whose amounts differ by processor. Give yours with `--cards`. */
import type { TestCards } from '../../contracts/test-cards.ts'

const card = { number: '4111111111111111', expiryMonth: 12, expiryYear: 2031, verificationCode: '123' }
export const testCards: TestCards = {
  approved: card,
  declined: { ...card, amount: '2204' },
  authenticated: null,
}
