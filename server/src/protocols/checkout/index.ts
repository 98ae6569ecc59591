/** The Checkout API that merchants' servers call. Chapter 30 §1.2. */
import type { FastifyInstance } from 'fastify'
import { errors } from '#domain/errors.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { IpList } from '../../network/ip-list.ts'
import { noteRequest } from '../../observe/requests.ts'
import { countOpenRequests } from '../kit/open-requests.ts'
import type { Endpoint } from './endpoint.ts'
import { capture } from './endpoints/capture.ts'
import { cardCredit } from './endpoints/card-credit.ts'
import { recurring } from './endpoints/recurring.ts'
import { refund } from './endpoints/refund.ts'
import { retry } from './endpoints/retry.ts'
import { session, sessionToken } from './endpoints/session.ts'
import { status } from './endpoints/status.ts'
import { voidPayment } from './endpoints/void.ts'
import { jsonRequest, jsonRoute, speakJson } from './routes.ts'
import { type Kit, serve } from './serve.ts'

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
  ({ trustedProxies, ...kit }: Kit & { readonly trustedProxies: IpList }) =>
  async (app: FastifyInstance): Promise<void> => {
    speakJson(app)
    countOpenRequests(app, kit.gate)
    for (const endpoint of endpoints) {
      jsonRoute(app, 'POST', endpoint.path, (request) =>
        serve(kit, endpoint, jsonRequest(request, trustedProxies), (notes) => noteRequest(request, notes)),
      )
    }
    // Whatever else is asked for under the prefix is answered in the words of this protocol, not of another.
    app.all('/api/v1/*', () => {
      throw new RefusedError(errors.routeNotSupported)
    })
  }
