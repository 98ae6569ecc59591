/** By the expiry of 4111 1111 1111 1111, as in the guide “Testing”. */
interface TestCard {
  readonly expiry: string
  readonly outcome: string
}

const card = (expiry: string, outcome: string): TestCard => ({ expiry, outcome })

// biome-ignore format: a table is read in columns.
export const testCards: readonly TestCard[] = [
  card('01/2038',          'approved'),
  card('02/2038',          'declined'),
  card('10/2038',          'soft decline: insufficient funds'),
  card('09/2038',          'hard decline: stolen card'),
  card('05/2038, 06/2038', '3-D Secure, then approved or declined'),
  card('12/2038, 12/2039', 'redirect to a page of the acquirer, then approved or declined'),
  card('04/2038, 07/2038', 'pending; approved or declined later'),
  card('06/2039',          'charged, but the acquirer’s answer is lost: the outcome arrives by callback'),
  card('03/2038',          'approved; the capture is declined'),
  card('04/2039',          'approved; the refund is declined'),
  card('01/2039',          'approved; recurring charges get a soft decline, and a retry succeeds'),
  card('04/2040',          'approved, then charged back'),
]
