/** The addresses of the issuer, one row each. */
import type { Reply } from '../kit/reply.ts'
import type { Call, Routes } from '../kit/routes.ts'
import type { AccessControl } from './access-control.ts'
import { transStatusOf } from './authentication.ts'
import { showChallenge, showLeft } from './challenge-page.ts'

// biome-ignore format: a table is read in columns.
export const accessControlRoutes = (accessControl: AccessControl): Routes => [
  // address                     answers
  [ 'POST /3ds/authentications', ({ body }) => accessControl.authenticate(body) ],
  [ 'POST /3ds/results',         ({ body }) => accessControl.result(body) ],
  [ 'GET /3ds/authentications',  (call) => listAuthentications(accessControl, call) ],
  [ 'POST /sandbox/acs',         (call) => showChallenge(accessControl, call) ],
  [ 'GET /sandbox/acs/left',     showLeft ],
]

async function listAuthentications(accessControl: AccessControl, { query }: Call): Promise<Reply> {
  const authentications = accessControl.ofPayment(query.get('payment_id') ?? '').map((authentication) => {
    const { threeDSServerTransID, dsTransID, acsTransID, paymentId, card, amount, currency, at } = authentication.record
    return {
      threeDSServerTransID,
      dsTransID,
      acsTransID,
      paymentId,
      card,
      amount,
      currency,
      transStatus: transStatusOf(authentication),
      at: new Date(at).toISOString(),
    }
  })
  return { status: 200, body: { authentications } }
}
