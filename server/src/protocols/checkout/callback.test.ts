/** Callbacks of Checkout, held against the worked examples of chapter 30 §12 byte for byte, and against the tables of §5. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultMapping } from '#domain/mapping.ts'
import type { PaymentFacts, TransactionFacts } from '#domain/payment/facts.ts'
import { bareFacts, fullFacts, unknownPerson } from '#domain/payment/testing/example-facts.ts'
import { encodeForm } from '../kit/bodies/form.ts'
import { checkoutCallbackFields } from './callback.ts'

const key = { password: 'testpass123', digest: 'md5' } as const
const mapping = { ...defaultMapping('CHECKOUT'), merchantId: '' }
const fields = (facts: PaymentFacts, addToCallback: readonly string[] = []) =>
  checkoutCallbackFields(facts, { ...mapping, addToCallback }, key)
const body = (facts: PaymentFacts, addToCallback: readonly string[] = []): string =>
  encodeForm(fields(facts, addToCallback))

const at = (instant: string): Date => new Date(`2026-11-${instant}Z`)

const transaction = (over: Partial<TransactionFacts> = {}): TransactionFacts => ({
  id: 'transaction',
  type: 'SALE',
  state: 'success',
  amountMinor: 1000n,
  at: at('15T10:20:30'),
  creditvoidId: null,
  ...over,
})

const cardTill = (expiryMonth: number, expiryYear: number, mask = '411111******1111') => ({
  mask,
  pan10: mask.replaceAll('*', ''),
  expiryMonth,
  expiryYear,
  network: 'visa',
  issuerCountry: null,
  issuerBank: null,
})

const payment = (
  id: string,
  [number, amount, currency, description]: readonly string[],
  over: Partial<PaymentFacts>,
): PaymentFacts => ({
  ...bareFacts,
  id,
  protocol: 'CHECKOUT',
  merchant: { ...bareFacts.merchant, timeZone: 'UTC' },
  order: {
    id: number ?? '',
    description: description ?? '',
    currency: currency ?? '',
    amountAsSent: amount ?? '',
    amountMinor: 1n,
    amountDecimals: 2,
  },
  card: cardTill(1, 2038),
  ip: '203.0.113.7',
  checkoutMethod: 'card',
  transaction: transaction(),
  ...over,
})

describe('the worked examples:', () => {
  test('12.1, a purchase', () => {
    const facts = payment('dc66cdd8-d702-11ea-9a2f-0242c0a87002', ['order-1234', '0.19', 'USD', 'Important gift'], {
      payer: { ...unknownPerson, firstName: 'Jane', lastName: 'Roe', email: 'jane@example.com' },
    })
    assert.equal(
      body(facts),
      'id=dc66cdd8-d702-11ea-9a2f-0242c0a87002&order_number=order-1234&order_amount=0.19&order_currency=USD&order_description=Important+gift&order_status=settled&type=sale&status=success&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=01%2F2038&customer_name=Jane+Roe&customer_email=jane%40example.com&date=2026-11-15+10%3A20%3A30&customer_ip=203.0.113.7&hash=25e1e0bcc8b1c626b01fe069d2c256b61127bd60',
    )
  })

  const shoes = (over: Partial<PaymentFacts>) =>
    payment('7c1a52d0-6e0b-11f1-9a4c-0242ac120003', ['order-2001', '49.90', 'EUR', 'Running shoes'], {
      card: cardTill(5, 2038),
      ...over,
    })

  test('12.2, 3-D Secure and then the sale', () => {
    const step = transaction({ type: '3DS', state: 'waiting', at: at('15T11:00:01') })
    assert.equal(
      body(shoes({ status: '3DS', transaction: step }), ['payment_method']),
      'id=7c1a52d0-6e0b-11f1-9a4c-0242ac120003&order_number=order-2001&order_amount=49.90&order_currency=EUR&order_description=Running+shoes&order_status=3ds&type=3ds&status=success&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=05%2F2038&payment_method=card&date=2026-11-15+11%3A00%3A01&customer_ip=203.0.113.7&hash=dcce4c0b9df15007170e1d8818c5904dffa96f30',
    )
    assert.equal(
      body(shoes({ transaction: transaction({ at: at('15T11:01:12') }) }), ['payment_method']),
      'id=7c1a52d0-6e0b-11f1-9a4c-0242ac120003&order_number=order-2001&order_amount=49.90&order_currency=EUR&order_description=Running+shoes&order_status=settled&type=sale&status=success&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=05%2F2038&payment_method=card&date=2026-11-15+11%3A01%3A12&customer_ip=203.0.113.7&hash=dcce4c0b9df15007170e1d8818c5904dffa96f30',
    )
  })

  test('12.3, an authorization and its capture', () => {
    const hotel = (over: Partial<PaymentFacts>) =>
      payment('8f0e1b44-6e0b-11f1-b1d2-0242ac120003', ['order-3001', '100.00', 'EUR', 'Hotel booking'], over)
    assert.equal(
      body(hotel({ status: 'PENDING', transaction: transaction({ type: 'AUTH', at: at('15T12:00:00') }) })),
      'id=8f0e1b44-6e0b-11f1-b1d2-0242ac120003&order_number=order-3001&order_amount=100.00&order_currency=EUR&order_description=Hotel+booking&order_status=pending&type=sale&status=success&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=01%2F2038&date=2026-11-15+12%3A00%3A00&customer_ip=203.0.113.7&hash=14ee01323fa1cb40e2f8c388d87c4f45e0a8fe55',
    )
    assert.equal(
      body(hotel({ transaction: transaction({ type: 'CAPTURE', at: at('16T09:00:00') }) })),
      'id=8f0e1b44-6e0b-11f1-b1d2-0242ac120003&order_number=order-3001&order_amount=100.00&order_currency=EUR&order_description=Hotel+booking&order_status=settled&type=capture&status=success&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=01%2F2038&date=2026-11-16+09%3A00%3A00&customer_ip=203.0.113.7&hash=14ee01323fa1cb40e2f8c388d87c4f45e0a8fe55',
    )
  })

  test('12.4, a partial refund', () => {
    assert.equal(
      body(shoes({ transaction: transaction({ type: 'REFUND', at: at('17T08:30:00') }) })),
      'id=7c1a52d0-6e0b-11f1-9a4c-0242ac120003&order_number=order-2001&order_amount=49.90&order_currency=EUR&order_description=Running+shoes&order_status=settled&type=refund&status=success&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=05%2F2038&date=2026-11-17+08%3A30%3A00&customer_ip=203.0.113.7&hash=dcce4c0b9df15007170e1d8818c5904dffa96f30',
    )
  })

  test('12.5, a free trial on a schedule, and a charge by request', () => {
    const recurring = {
      initTransId: 'a1c9d3e6-6e0b-11f1-8c55-0242ac120003',
      token: 'b2d0e4f7-6e0b-11f1-9d66-0242ac120003',
    }
    const id = '57fddecf-17b9-4d38-9320-a670f0c29ec0'
    assert.equal(
      body(
        payment(recurring.initTransId, ['order-5001', '0.00', 'USD', 'Premium plan'], {
          recurring: { ...recurring, init: true },
          schedule: { id, startDate: '2026-12-15', amount: '9.99', firstDate: '2026-12-15' },
          consent: { id: '4f7a1c20-6e0b-11f1-8d10-0242ac120003', state: 'active' },
          transaction: transaction({ at: at('15T13:00:00') }),
        }),
      ),
      'id=a1c9d3e6-6e0b-11f1-8c55-0242ac120003&order_number=order-5001&order_amount=0.00&order_currency=USD&order_description=Premium+plan&order_status=settled&type=sale&status=success&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=01%2F2038&recurring_init_trans_id=a1c9d3e6-6e0b-11f1-8c55-0242ac120003&recurring_token=b2d0e4f7-6e0b-11f1-9d66-0242ac120003&schedule_id=57fddecf-17b9-4d38-9320-a670f0c29ec0&schedule_start_date=2026-12-15&payment_schedule_amount=9.99&first_recurring_date=2026-12-15&consent_state=active&consent_id=4f7a1c20-6e0b-11f1-8d10-0242ac120003&date=2026-11-15+13%3A00%3A00&customer_ip=203.0.113.7&hash=0c0d41c528e61a30cc1f56d7bc523e5e89cb17b8',
    )
    assert.equal(
      body(
        payment('c3e1f508-6e0b-11f1-ae77-0242ac120003', ['order-5002', '4.50', 'USD', 'Extra storage'], {
          action: 'RECURRING_SALE',
          recurring: { ...recurring, init: false },
          schedule: { id, startDate: null, amount: null, firstDate: null },
          customData: { plan: 'storage' },
          transaction: transaction({ at: at('20T07:00:00') }),
        }),
      ),
      'id=c3e1f508-6e0b-11f1-ae77-0242ac120003&order_number=order-5002&order_amount=4.50&order_currency=USD&order_description=Extra+storage&order_status=settled&type=recurring&status=success&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=01%2F2038&recurring_init_trans_id=a1c9d3e6-6e0b-11f1-8c55-0242ac120003&recurring_token=b2d0e4f7-6e0b-11f1-9d66-0242ac120003&schedule_id=57fddecf-17b9-4d38-9320-a670f0c29ec0&custom_data%5Bplan%5D=storage&date=2026-11-20+07%3A00%3A00&customer_ip=203.0.113.7&hash=2cf0525ec9663c70e197e52d987df165dda12934',
    )
  })

  test('12.6, a debit with 3-D Secure that saves its card', () => {
    const topUp = (over: Partial<PaymentFacts>) =>
      payment('d4f20619-6e0b-11f1-bf88-0242ac120003', ['order-6001', '20.00', 'EUR', 'Top up'], {
        kind: 'debit',
        action: 'DEBIT',
        card: cardTill(5, 2038),
        reqToken: true,
        cardToken: '270d9d07142f6e976e5840ea29dbc8852dfb62764b221852ebf8d5e08947bb50',
        customData: { wallet_no: '77' },
        ...over,
      })
    assert.equal(
      body(
        topUp({ status: '3DS', transaction: transaction({ type: '3DS', state: 'waiting', at: at('15T14:00:00') }) }),
      ),
      'id=d4f20619-6e0b-11f1-bf88-0242ac120003&order_number=order-6001&order_amount=20.00&order_currency=EUR&order_description=Top+up&order_status=3ds&type=debit&status=success&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=05%2F2038&card_token=270d9d07142f6e976e5840ea29dbc8852dfb62764b221852ebf8d5e08947bb50&custom_data%5Bwallet_no%5D=77&date=2026-11-15+14%3A00%3A00&customer_ip=203.0.113.7&hash=66330ba7a32c0a4859052417a0cdb986cdf55283',
    )
    assert.equal(
      body(topUp({ transaction: transaction({ type: 'DEBIT', at: at('15T14:01:00') }) })),
      'id=d4f20619-6e0b-11f1-bf88-0242ac120003&order_number=order-6001&order_amount=20.00&order_currency=EUR&order_description=Top+up&order_status=settled&type=debit&status=success&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=05%2F2038&card_token=270d9d07142f6e976e5840ea29dbc8852dfb62764b221852ebf8d5e08947bb50&custom_data%5Bwallet_no%5D=77&date=2026-11-15+14%3A01%3A00&customer_ip=203.0.113.7&hash=66330ba7a32c0a4859052417a0cdb986cdf55283',
    )
  })

  test('12.7, a payout to a saved card', () => {
    const facts = payment('e503172a-6e0b-11f1-8099-0242ac120003', ['payout-77', '25.00', 'EUR', 'Winnings'], {
      kind: 'credit',
      action: 'CREDIT2CARD',
      card: cardTill(5, 2038),
      payee: { ...unknownPerson, firstName: 'Jane', lastName: 'Roe' },
      paidWithToken: true,
      transaction: transaction({ type: 'CREDIT', at: at('15T15:00:00') }),
    })
    assert.equal(
      body(facts),
      'id=e503172a-6e0b-11f1-8099-0242ac120003&order_number=payout-77&order_amount=25.00&order_currency=EUR&order_description=Winnings&order_status=settled&type=credit&status=success&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=05%2F2038&payee_name=Jane+Roe&date=2026-11-15+15%3A00%3A00&customer_ip=203.0.113.7&hash=5336100a4014dfd535218b211e5edb9d79942027',
    )
  })

  test('12.9, a wallet, decrypted, with selected fields and an ARN that is not known yet', () => {
    const facts = payment('0725394c-6e0c-11f1-a2bb-0242ac120003', ['order-9001', '30.00', 'USD', 'Gift card'], {
      card: cardTill(12, 2031, '481850******0004'),
      digitalWallet: 'walletapay',
      panType: 'DPAN',
      checkoutMethod: 'walletapay',
      brandDocument: 'payment_document_card',
      transaction: transaction({ at: at('15T17:00:00') }),
    })
    assert.equal(
      body(facts, ['checkout_payment_method', 'brand', 'arn']),
      'id=0725394c-6e0c-11f1-a2bb-0242ac120003&order_number=order-9001&order_amount=30.00&order_currency=USD&order_description=Gift+card&order_status=settled&type=sale&status=success&card=481850%2A%2A%2A%2A%2A%2A0004&card_expiration_date=12%2F2031&digital_wallet=walletapay&pan_type=DPAN&checkout_payment_method=walletapay&brand=payment_document_card&arn=&date=2026-11-15+17%3A00%3A00&customer_ip=203.0.113.7&hash=bfa7c8f2dac9c12c016c8b9c800ec918421942cd',
    )
  })
})

describe('the decision matrix:', () => {
  const recurring = { initTransId: 'first', token: 'token', init: false }
  const issued = { address: 'bc1q', network: 'BTC' }
  type Row = readonly [
    PaymentFacts['kind'],
    TransactionFacts['type'],
    TransactionFacts['state'],
    PaymentFacts['status'],
    string,
    Partial<PaymentFacts>?,
  ]

  // biome-ignore format: a table is read in columns.
  const rows: readonly Row[] = [
    // kind       transaction   state        status        type, status, order_status
    ['sale',     'SALE',       'success',   'SETTLED',    'sale success settled'],
    ['sale',     'AUTH',       'success',   'PENDING',    'sale success pending'],
    ['sale',     'SALE',       'fail',      'DECLINED',   'sale fail decline'],
    ['sale',     '3DS',        'fail',      'DECLINED',   'sale fail decline'],
    ['sale',     'SALE',       'waiting',   'PREPARE',    'sale waiting prepare'],
    ['sale',     'SALE',       'waiting',   'PENDING',    'sale waiting pending'],
    ['sale',     'SALE',       'undefined', 'PREPARE',    'sale undefined prepare'],
    ['sale',     '3DS',        'waiting',   '3DS',        '3ds success 3ds'],
    ['sale',     '3DS',        'undefined', '3DS',        '3ds undefined 3ds'],
    ['sale',     'SALE',       'waiting',   'REDIRECT',   'redirect success redirect'],
    ['sale',     'SALE',       'waiting',   'PENDING',    'init success pending', { crypto: issued }],
    ['sale',     'SALE',       'success',   'SETTLED',    'sale success settled', { crypto: issued }],
    ['transfer', '3DS',        'waiting',   '3DS',        '3ds success 3ds'],
    ['transfer', 'TRANSFER',   'success',   'SETTLED',    'transfer success settled'],
    ['debit',    '3DS',        'waiting',   '3DS',        'debit success 3ds'],
    ['debit',    'DEBIT',      'waiting',   'REDIRECT',   'debit success redirect'],
    ['debit',    'DEBIT',      'success',   'SETTLED',    'debit success settled'],
    ['debit',    'DEBIT',      'fail',      'DECLINED',   'debit fail decline'],
    ['credit',   'CREDIT',     'success',   'SETTLED',    'credit success settled'],
    ['credit',   'CREDIT',     'undefined', 'PREPARE',    'credit undefined prepare'],
    ['sale',     'CAPTURE',    'success',   'SETTLED',    'capture success settled'],
    ['sale',     'CAPTURE',    'fail',      'PENDING',    'capture fail pending'],
    ['sale',     'VOID',       'success',   'VOID',       'void success void'],
    ['sale',     'VOID',       'fail',      'SETTLED',    'void fail settled'],
    ['sale',     'REFUND',     'success',   'REFUND',     'refund success refund'],
    ['sale',     'REFUND',     'success',   'SETTLED',    'refund success settled'],
    ['sale',     'REFUND',     'waiting',   'SETTLED',    'refund waiting settled'],
    ['sale',     'REVERSAL',   'success',   'REVERSAL',   'refund success reversal'],
    ['debit',    'REVERSAL',   'success',   'REVERSAL',   'refund success reversal'],
    ['sale',     'CHARGEBACK', 'success',   'CHARGEBACK', 'chargeback success chargeback'],
    ['sale',     'SALE',       'success',   'SETTLED',    'recurring success settled', { action: 'RECURRING_SALE', recurring }],
    ['sale',     'RETRY',      'fail',      'DECLINED',   'recurring fail decline',    { action: 'RECURRING_SALE', recurring }],
    ['debit',    'DEBIT',      'success',   'SETTLED',    'recurring success settled', { action: 'RECURRING_DEBIT', recurring }],
    ['sale',     'REFUND',     'success',   'REFUND',     'refund success refund',     { action: 'RECURRING_SALE', recurring }],
  ]
  for (const [kind, type, state, status, expected, more] of rows) {
    test(`${type} of a ${kind}, ${state}, ${status}: ${expected}`, () => {
      const callback = fields({
        ...payment('id', ['1', '1.00', 'EUR', 'A book'], {}),
        kind,
        status,
        ...more,
        transaction: transaction({ type, state }),
      })
      assert.deepEqual([callback['type'], callback['status'], callback['order_status']], expected.split(' '))
    })
  }
})

describe('which fields a callback has:', () => {
  const full = { ...fullFacts, protocol: 'CHECKOUT', action: 'SALE', status: 'SETTLED' } as const
  const chain = ['recurring_init_trans_id', 'recurring_token']

  test('steps of the payer carry no chain, schedule, exchange or acquirer data', () => {
    const callback = fields({ ...full, status: '3DS', transaction: transaction({ type: '3DS', state: 'waiting' }) }, [
      'arn',
      'rrn',
      'mid_name',
      'extended_data',
      'eci',
    ])
    for (const name of [
      ...chain,
      'schedule_id',
      'first_recurring_date',
      'exchange_rate',
      'arn',
      'rrn',
      'mid_name',
      'extended_data',
    ])
      assert.equal(callback[name], undefined, name)
    assert.ok(callback['eci'])
  })

  for (const type of ['CAPTURE', 'VOID', 'CHARGEBACK'] as const) {
    test(`${type} carries no chain`, () => {
      const callback = fields({ ...full, transaction: transaction({ type }) })
      for (const name of chain) assert.equal(callback[name], undefined, name)
    })
  }

  test('a refund of the payment that started a chain names it, a decline of that payment does not', () => {
    const recurring = { initTransId: 'first', token: 'token', init: true }
    assert.equal(
      fields({ ...full, recurring, transaction: transaction({ type: 'REFUND' }) })['recurring_token'],
      'token',
    )
    const declined = fields({ ...full, recurring, status: 'DECLINED', transaction: transaction({ state: 'fail' }) })
    assert.equal(declined['recurring_token'], undefined)
    assert.equal(declined['first_recurring_date'], undefined)
  })

  test('a purchase tells its token once it succeeded, a debit always', () => {
    const saved = { reqToken: true, cardToken: 'a'.repeat(64), paidWithToken: false }
    const failed = transaction({ state: 'fail' })
    assert.equal(fields({ ...full, ...saved, transaction: transaction() })['card_token'], saved.cardToken)
    assert.equal(fields({ ...full, ...saved, transaction: failed })['card_token'], undefined)
    assert.equal(fields({ ...full, ...saved, kind: 'debit', transaction: failed })['card_token'], saved.cardToken)
    const paidWith = { reqToken: false, cardToken: saved.cardToken, paidWithToken: true }
    assert.equal(fields({ ...full, ...paidWith, transaction: transaction() })['card_token'], undefined)
    assert.equal(fields({ ...full, ...paidWith, kind: 'debit', transaction: failed })['card_token'], saved.cardToken)
  })

  // biome-ignore format: a table is read in columns.
  const reasons = [
    ['Declined by processing',  'Declined by processing.'],
    ['Declined by processing.', 'Declined by processing.'],
    ['Expired',                 'Expired'],
    ['Cancelled by payer',      'Cancelled by payer'],
  ] as const
  for (const [declineReason, reason] of reasons) {
    test(`the reason "${declineReason}" is reported as "${reason}", and only of a failure`, () => {
      assert.equal(fields({ ...full, declineReason, transaction: transaction({ state: 'fail' }) })['reason'], reason)
      assert.equal(fields({ ...full, declineReason, transaction: transaction() })['reason'], undefined)
    })
  }

  test('a consent that was not given is reported in the extended data only', () => {
    const callback = fields({ ...full, consent: { id: null, state: 'ignored' }, transaction: transaction() }, [
      'extended_data',
    ])
    assert.equal(callback['consent_state'], undefined)
    assert.equal(Reflect.get(Object(callback['extended_data']), 'consent_state'), 'ignored')
  })

  test('VAT is reported beside the net amount', () => {
    const callback = fields({ ...full, vatMinor: 190n, transaction: transaction() })
    assert.deepEqual([callback['vat_amount'], callback['order_amount']], ['1.90', full.order.amountAsSent])
  })

  test('a payee is reported for payouts and transfers only', () => {
    const payee = { ...unknownPerson, firstName: 'Jane', lastName: 'Roe', country: 'DE' }
    assert.equal(fields({ ...full, payee, transaction: transaction() })['payee_name'], undefined)
    const callback = fields({
      ...full,
      kind: 'transfer',
      payee,
      payeeCardMask: '400000******0002',
      transaction: transaction({ type: 'TRANSFER' }),
    })
    assert.deepEqual(
      [callback['payee_name'], callback['payee_country'], callback['payee_card']],
      ['Jane Roe', 'DE', '400000******0002'],
    )
  })
})

test('a text beyond ASCII is upper-cased as ASCII only in the hash', () => {
  const facts = payment('dc66cdd8-d702-11ea-9a2f-0242c0a87002', ['order-1', '1.00', 'EUR', 'café'], {})
  assert.equal(fields(facts)['hash'], '1f8d79c981e6eb0d056457a086e364d21b044aa8')
  const sha256 = checkoutCallbackFields(facts, mapping, { ...key, digest: 'sha256' })
  assert.equal(sha256['hash'], '33b91bd0305898f957cf1f7e1b728a2c0b3eba83')
})
