/** One notification of each acquirer of the family whose notifications are taken, signed as the acquirer documents it. */
import { createHash, createHmac } from 'node:crypto'

export interface SignedNotification {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Which references the package finds in it. */
interface Sample extends SignedNotification {
  readonly repeats: readonly ('ours' | 'theirs')[]
}

/** The acquirer's reference of the sample's payment, and ours where the acquirer repeats it. */
interface NotifiedReferences {
  readonly theirs: string
  readonly ours: string
}

type Sign = (secret: string, references: NotifiedReferences) => Sample

const both = ['ours', 'theirs'] as const
const json = { 'content-type': 'application/json' }
const hmac = (algorithm: 'sha256' | 'sha512', secret: string, text: string) =>
  createHmac(algorithm, secret).update(text)

export const signedNotifications: Readonly<Record<string, Sign>> = {
  authorizedotnet: (secret, { theirs, ours }) => {
    const body = JSON.stringify({
      notificationId: 'd0e8e7fe-c3e7-4add-a480-27bc5ce28a18',
      eventType: 'net.authorize.payment.authcapture.created',
      eventDate: '2026-03-01T12:00:00Z',
      webhookId: '63d6fea2-aa13-4b1d-a204-f5fbc15942b7',
      payload: {
        responseCode: 1,
        authCode: 'LZ6I19',
        avsResponse: 'Y',
        authAmount: 10,
        merchantReferenceId: ours.slice(0, 20),
        entityName: 'transaction',
        id: theirs,
      },
    })
    const signature = hmac('sha512', secret, body).digest('hex')
    return { headers: { ...json, 'x-anet-signature': `sha512=${signature}` }, body, repeats: ['theirs'] }
  },
  bluesnap: (secret, { theirs, ours }) => {
    const body = String(
      new URLSearchParams({
        transactionType: 'CHARGE',
        referenceNumber: theirs,
        merchantTransactionId: ours,
        invoiceChargeAmount: '10.00',
        currency: 'EUR',
      }),
    )
    const at = '2026-03-01 12:00:00'
    return {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'bls-ipn-timestamp': at,
        'bls-signature': hmac('sha256', secret, `${at}${body}`).digest('hex'),
      },
      body,
      repeats: ['ours'],
    }
  },
  nmi: (secret, { theirs, ours }) => {
    const body = JSON.stringify({
      event_id: '5a7a1e5a-3a0e-4f0d-9d27-2f8e4c1b7a10',
      event_type: 'transaction.sale.success',
      event_body: {
        transaction_id: theirs,
        order_id: ours,
        condition: 'pendingsettlement',
        action: { action_type: 'sale', amount: '10.00', success: '1' },
      },
    })
    const signature = hmac('sha256', secret, `4711.${body}`).digest('hex')
    return { headers: { ...json, 'webhook-signature': `t=4711,s=${signature}` }, body, repeats: both }
  },
  ppro: (secret, { theirs, ours }) => {
    const body = JSON.stringify({
      specversion: '1.0',
      type: 'PAYMENT_CHARGE_SUCCESS',
      source: 'https://api.ppro.com',
      id: 'evt_0bM1z5',
      time: '2026-03-01T12:00:00Z',
      data: {
        paymentChargeId: theirs,
        paymentChargeStatus: 'CAPTURED',
        merchantPaymentChargeReference: ours,
      },
    })
    const signature = createHash('sha256').update(`${body}.${secret}`).digest('hex')
    return { headers: { ...json, 'webhook-signature': signature }, body, repeats: both }
  },
  revolut: (secret, { theirs, ours }) => {
    const body = JSON.stringify({ event: 'ORDER_COMPLETED', order_id: theirs, merchant_order_ext_ref: ours })
    const at = '1772366400000'
    const signature = hmac('sha256', secret, `v1.${at}.${body}`).digest('hex')
    return {
      headers: { ...json, 'revolut-request-timestamp': at, 'revolut-signature': `v1=${signature}` },
      body,
      repeats: both,
    }
  },
  stripe: (secret, { theirs, ours }) => {
    const body = JSON.stringify({
      id: 'evt_1OaBcD',
      object: 'event',
      type: 'payment_intent.succeeded',
      created: 1772366400,
      data: {
        object: {
          id: theirs,
          object: 'payment_intent',
          created: 1772366400,
          amount: 1000,
          amount_received: 1000,
          currency: 'eur',
          status: 'succeeded',
          metadata: { order_id: ours },
        },
      },
    })
    const signature = hmac('sha256', secret, `1772366400.${body}`).digest('hex')
    return { headers: { ...json, 'stripe-signature': `t=1772366400,v1=${signature}` }, body, repeats: both }
  },
}
