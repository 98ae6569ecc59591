/** The Checkout API that merchants' servers call. Chapter 30 §1.2. */
import type { FastifyInstance } from 'fastify'
import { errors } from '#domain/errors.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { IpList } from '../../network/ip-list.ts'
import { noteRequest } from '../../observe/requests.ts'
import { merchantRequest } from '../kit/merchant-request.ts'
import { countOpenRequests } from '../kit/open-requests.ts'
import { label, serve } from '../kit/serve.ts'
import { type CheckoutKit, checkoutDialect } from './dialect.ts'
import type { Endpoint } from './endpoint.ts'
import { capture } from './endpoints/capture.ts'
import { cardCredit } from './endpoints/card-credit.ts'
import { recurring } from './endpoints/recurring.ts'
import { refund } from './endpoints/refund.ts'
import { retry } from './endpoints/retry.ts'
import { session, sessionToken } from './endpoints/session.ts'
import { status } from './endpoints/status.ts'
import { voidPayment } from './endpoints/void.ts'
import { jsonRoute, speakJson } from './routes.ts'

export const endpoints: readonly Endpoint[] = [
  session,
  sessionToken,
  status,
  capture,
  refund,
  voidPayment,
  recurring,
  retry,
  cardCredit,
]

export const checkout =
  ({ trustedProxies, ...kit }: CheckoutKit & { readonly trustedProxies: IpList }) =>
  async (app: FastifyInstance): Promise<void> => {
    speakJson(app)
    countOpenRequests(app, kit.gate)
    const dialect = checkoutDialect(kit)
    for (const endpoint of endpoints) {
      const resolveAction = () => [{ protocol: 'CHECKOUT', action: endpoint }] as const
      jsonRoute(app, 'POST', endpoint.path, (request) => {
        // Noted first, so that metrics count an unreadable body under its endpoint.
        noteRequest(request, { protocol: label.CHECKOUT, action: endpoint.name })
        const sent = merchantRequest(request, endpoint.path, trustedProxies)
        return serve({ kit, dialect, resolveAction }, sent, (notes) => noteRequest(request, notes))
      })
    }
    // Unknown addresses under the prefix get this protocol's error body.
    app.all('/api/v1/*', () => {
      throw new RefusedError(errors.routeNotSupported)
    })
  }
