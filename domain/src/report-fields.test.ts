/** Which field may appear where: chapter 10 §7.10 and §11.2, chapter 20 §13 and §16, chapter 30 §5.6, in their own words. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Protocol } from './merchant.ts'
import { bareFacts as bare, fullFacts as full, exampleRefund as refund } from './payment/testing/example-facts.ts'
import { fieldsFor, type Place, reportFields, selectCallbackFields, selectFields } from './report-fields.ts'

const words = (text: string): readonly string[] => text.trim().split(/[\s,]+/)

const keys = words(
  'connector_name, rrn, approval_code, gateway_id, extra_gateway_id, merchant_name, mid_name, issuer_country, issuer_bank',
)
const payer =
  words(`payer_first_name, payer_last_name, payer_birth_date, payer_address, payer_address2, payer_house_number,
  payer_phone_country_code, payer_country, payer_state, payer_city, payer_district, payer_zip, payer_email, payer_phone, payer_ip`)
const threeDs =
  words(`threeDSServerTransID, dsTransID, acsTransID, xid, transStatus, transStatusReason, eci, protocolVersion,
  authenticationFlow`)
const browser = words(`browser_color_depth, browser_screen_height, browser_screen_width, browser_java_enabled,
  browser_javascript_enabled, browser_language, browser_timezone_offset, browser_user_agent, browser_accept_headers,
  browser_platform`)
const credential = words('initiator, sequence, source')
const card = words('card, card_expiration_date')

const common = ['extended_data', 'arn', 'brand', 'checkout_payment_method', ...credential]
const checkout = [...common, 'payment_method']

// biome-ignore format: a table is read in columns.
const expected: readonly (readonly [Protocol, Place, readonly string[]])[] = [
  // protocol   place       fields                                                                                        source
  ['S2S_CARD', 'callback', [...common, 'payment_method', 'customer_ip', ...keys, ...card, ...payer, ...threeDs, ...browser]],  // Chapter 10 §11.2, "by mapping".
  ['S2S_CARD', 'status',   ['arn', 'rrn', 'brand', 'checkout_payment_method', 'payment_method', ...credential, ...card, ...payer, ...threeDs, ...browser]], // Chapter 10 §7.10.
  ['S2S_CARD', 'redirect', []],
  ['S2S_APM',  'callback', [...common, ...keys, ...card, ...payer, ...threeDs, ...browser]],                                   // Chapter 20 §16.
  ['S2S_APM',  'status',   [...common, ...keys, ...card, ...payer]],                                                           // Chapter 20 §13.
  ['S2S_APM',  'redirect', [...common, ...keys, ...card, ...payer, ...threeDs, ...browser]],                                   // Chapter 50 §2: any of them.
  ['CHECKOUT', 'callback', [...checkout, ...keys, ...payer, ...threeDs, ...browser, 'transaction_id', 'transaction_amount']],  // Chapter 30 §5.6, C.
  ['CHECKOUT', 'status',   [...checkout, ...card, ...payer, 'transactions']],                                                  // Chapter 30 §5.6, S.
  ['CHECKOUT', 'redirect', ['payment_method', 'brand']],                                                                       // Chapter 30 §5.6, R.
]

// biome-ignore format: a table is read in columns.
const irregular: Readonly<Record<string, unknown>> = {
  // field                   value of the example payment
  payment_method:           'checkoutMethod',
  checkout_payment_method:  'checkoutMethod',
  brand:                    'payment_document_card',
  merchant_name:            'shop',
  extended_data:            { avs_result: 'Y', cvv_result: 'M', network_transaction_id: 'networkTransactionId', consent_state: 'ignored', decline_class: 'hard' },
  initiator:                'cardholder',
  sequence:                 'initial',
  source:                   'card_token',
  card:                     '411111******1111',
  card_expiration_date:     '01/2038',
  customer_ip:              'ip',
  payer_ip:                 'ip',
  transaction_id:           '6f1d0a2e-7b3c-4d5e-8f90-a1b2c3d4e501',
  transaction_amount:       '4.00',
  transactions:             [{ id: '6f1d0a2e-7b3c-4d5e-8f90-a1b2c3d4e501', type: 'refund', status: 'undefined', amount: '4.00', date: '2026-07-02 00:30:00' }],
}

/** The texts of the example payment are the names of their facts, and a field is named after its fact: `approval_code`, `approvalCode`. */
const factOf = (name: string): string => name.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase())

const everyName = reportFields.map(({ name }) => name)
const inChapters = new Set(expected.flatMap(([, , names]) => names))

describe('where a field may be selected', () => {
  for (const [protocol, place, names] of expected) {
    test(`of the fields in the chapters, ${protocol} offers for the ${place} exactly those of its own`, () => {
      const offered = fieldsFor(protocol, place).flatMap(({ name }) => (inChapters.has(name) ? [name] : []))
      assert.deepEqual(offered.sort(), [...names].sort())
    })
  }
  test('every field has one row', () => assert.equal(new Set(everyName).size, everyName.length))
})

describe('values', () => {
  for (const { name, value } of reportFields) {
    test(`${name} shows its own fact`, () => assert.deepEqual(value(full), irregular[name] ?? factOf(name)))
  }

  test('a decline reports its class in extended_data', () => {
    const declined = { ...bare, declineClass: 'soft' } as const
    assert.deepEqual(selectFields(['extended_data'], declined, { protocol: 'S2S_CARD', place: 'callback' }), [
      ['extended_data', { decline_class: 'soft' }],
    ])
  })

  test('an amount of a transaction is written like the amount of its order', () => {
    const yen = { ...full, order: { ...full.order, currency: 'JPY', amountDecimals: 2 } }
    assert.deepEqual(selectFields(['transaction_amount'], yen, { protocol: 'CHECKOUT', place: 'callback' }), [
      ['transaction_amount', '400.00'],
    ])
  })
})

describe('selection', () => {
  test('nothing is sent unless it was selected', () => {
    for (const [protocol, place] of expected) assert.deepEqual(selectFields([], full, { protocol, place }), [])
  })

  test('pairs come in the order of the table, whatever the order of the selection', () => {
    const names = selectFields([...everyName].reverse(), full, { protocol: 'S2S_CARD', place: 'callback' }).map(
      ([name]) => name,
    )
    assert.deepEqual(
      names,
      fieldsFor('S2S_CARD', 'callback').map(({ name }) => name),
    )
  })

  test('a name that the place does not offer, or that no longer exists, is ignored', () => {
    assert.deepEqual(
      selectFields(['mid_name', 'payer_zip', 'retired'], full, { protocol: 'S2S_CARD', place: 'status' }),
      [['payer_zip', 'payerZip']],
    )
  })

  test('an unknown fact is left out, except the ARN, which a callback sends empty', () => {
    const known = ['merchant_name']
    for (const [protocol, place] of expected) {
      const sent = selectFields(everyName, bare, { protocol, place, type: 'SALE' }).filter(
        ([name]) => !known.includes(name),
      )
      assert.deepEqual(sent, place === 'callback' ? [['arn', '']] : [], `${protocol} ${place}`)
    }
  })

  test('an empty text counts as not known', () => {
    assert.deepEqual(
      selectFields(['rrn', 'arn'], { ...bare, rrn: '', arn: '' }, { protocol: 'S2S_CARD', place: 'status' }),
      [],
    )
  })
})

describe('the ARN', () => {
  // biome-ignore format: a table is read in columns.
  const carries = [
    ['SALE', true], ['AUTH', true], ['RETRY', true], ['REFUND', true],
    ['CAPTURE', false], ['VOID', false], ['REVERSAL', false], ['CHARGEBACK', false],
  ] as const
  for (const [type, yes] of carries) {
    test(`the callback of a ${type} ${yes ? 'carries' : 'does not carry'} it`, () => {
      for (const protocol of ['S2S_CARD', 'S2S_APM', 'CHECKOUT'] as const)
        assert.equal(selectFields(['arn'], full, { protocol, place: 'callback', type }).length, yes ? 1 : 0)
    })
  }

  test('callbacks of debits, retried ones too, do not carry it', () => {
    for (const type of ['DEBIT', 'REVERSAL', 'RETRY'] as const)
      assert.deepEqual(
        selectFields(['arn'], { ...full, kind: 'debit' }, { protocol: 'S2S_CARD', place: 'callback', type }),
        [],
      )
  })

  test('a look-up shows it whatever happened last', () => {
    assert.equal(selectFields(['arn'], full, { protocol: 'CHECKOUT', place: 'status', type: 'CAPTURE' }).length, 1)
  })

  test('the reported transaction is that of the facts unless another is passed', () => {
    assert.equal(selectFields(['arn'], full, { protocol: 'S2S_CARD', place: 'callback' }).length, 1)
    const voided = { ...full, transaction: { ...refund, type: 'VOID' } } as const
    assert.equal(selectFields(['arn'], voided, { protocol: 'S2S_CARD', place: 'callback' }).length, 0)
  })
})

test('a Checkout callback of a payer step carries the method and no acquirer data (chapter 30 §5.5, §12.2)', () => {
  for (const type of ['3DS', 'REDIRECT'] as const) {
    const names = selectFields(everyName, full, { protocol: 'CHECKOUT', place: 'callback', type }).map(([name]) => name)
    assert.ok(names.includes('payment_method') && names.includes('payer_email'))
    assert.deepEqual(
      names.filter((name) => [...keys, 'arn', 'extended_data'].includes(name)),
      [],
    )
  }
})

test('the worked example of chapter 30 §12.9: method, brand and an ARN not known yet', () => {
  const wallet = {
    ...bare,
    protocol: 'CHECKOUT',
    checkoutMethod: 'walletapay',
    brandDocument: 'payment_document_card',
  } as const
  const sent = selectFields(['arn', 'brand', 'checkout_payment_method'], wallet, {
    protocol: 'CHECKOUT',
    place: 'callback',
    type: 'SALE',
  })
  assert.deepEqual(sent, [
    ['checkout_payment_method', 'walletapay'],
    ['brand', 'payment_document_card'],
    ['arn', ''],
  ])
})

describe('extended data keys in callback', () => {
  const selected = (addToCallback: readonly string[], extendedDataKeys: readonly string[]) =>
    selectCallbackFields({ addToCallback, extendedDataKeys }, full, { protocol: 'S2S_CARD' })

  test('chosen keys are sent, whether the field itself is added or not', () => {
    const expectedData = [['extended_data', { avs_result: 'Y', decline_class: 'hard' }]]
    assert.deepEqual(selected([], ['decline_class', 'avs_result', 'unknown']), expectedData)
    assert.deepEqual(selected(['extended_data'], ['decline_class', 'avs_result']), expectedData)
  })

  test('without chosen keys the field has all of them, and without its keys it is left out', () => {
    assert.deepEqual(selected([], []), [])
    assert.deepEqual(selected(['extended_data'], []), [['extended_data', irregular['extended_data']]])
    assert.deepEqual(selected([], ['unknown']), [])
  })
})
