import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import HmacValidator from '@adyen/api-library/lib/src/utils/hmacValidator.js'
import { readAdyenNotification } from './notification.ts'

const key = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'
const credentials = { merchant_account: 'GatehouseECOM', api_key: 'k'.repeat(20), hmac_key: key }
const paymentId = '0199a1b2-c3d4-7e5f-8a6b-00000000000a'
const transactionId = '000000000002'
const at = '2026-03-01T12:00:00+01:00'

type Fields = Readonly<Record<string, unknown>>

const item = (changes: Fields = {}) => ({
  pspReference: 'QFQTPCQ8HXSKGK82',
  originalReference: '9913140798220028',
  merchantAccountCode: 'GatehouseECOM',
  merchantReference: `${paymentId}.${transactionId}`,
  amount: { value: 1130, currency: 'EUR' },
  eventCode: 'CAPTURE',
  success: 'true',
  eventDate: at,
  reason: '',
  ...changes,
})

/** The order of the signed fields, as Adyen's documentation of HMAC signatures has it. */
function signed(changes: Fields = {}, { by = key, data = {} }: { readonly by?: string; readonly data?: Fields } = {}) {
  const fields: Fields = item(changes)
  const { value, currency } = Object(fields['amount'])
  const names = ['pspReference', 'originalReference', 'merchantAccountCode', 'merchantReference']
  const text = [
    ...names.map((name) => fields[name] ?? ''),
    value,
    currency,
    fields['eventCode'],
    fields['success'],
  ].join(':')
  const hmacSignature = createHmac('sha256', Buffer.from(by, 'hex')).update(text).digest('base64')
  return { ...fields, additionalData: { ...data, hmacSignature } }
}

const bodyOf = (...items: readonly Fields[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      live: 'false',
      notificationItems: items.map((NotificationRequestItem) => ({ NotificationRequestItem })),
    }),
  )

const read = (body: Buffer, changes: { readonly hmac_key_previous?: string; readonly hmac_key?: string } = {}) =>
  readAdyenNotification({ headers: {}, query: {}, body, receivedAt: new Date(at) }, { ...credentials, ...changes })

const eventsOf = (changes: Fields, data: Fields = {}) => {
  const reading = read(bodyOf(signed(changes, { data })))
  return reading.kind === 'verified' ? reading.events : reading.kind
}

/** Of a notification that is about disputes, as plain objects. */
const disputeEventsOf = (changes: Fields, data: Fields = {}): readonly Fields[] => {
  const events = eventsOf(changes, data)
  return typeof events === 'string' ? assert.fail(events) : events.map(Object)
}

const common = { paymentId, transactionId, at: new Date(at) }

test('an item that Adyen’s own package signs is believed', () => {
  const { additionalData, ...plain } = signed()
  assert.equal(additionalData.hmacSignature.length > 0, true)
  const hmacSignature = new HmacValidator.default().calculateHmac(Object(plain), key)
  assert.equal(read(bodyOf({ ...plain, additionalData: { hmacSignature } })).kind, 'verified')
})

test('a capture is decided by its notification', () => {
  assert.deepEqual(read(bodyOf(signed())), {
    kind: 'verified',
    id: 'QFQTPCQ8HXSKGK82:CAPTURE:true',
    events: [
      {
        ...common,
        kind: 'decided',
        reference: 'QFQTPCQ8HXSKGK82:CAPTURE',
        acquirerReference: 'QFQTPCQ8HXSKGK82',
        outcome: { result: 'approved', facts: { reference: 'QFQTPCQ8HXSKGK82' } },
      },
    ],
  })
})

test('the same notification has the same id, and a changed success another', () => {
  const idOf = (changes: Fields = {}) => {
    const reading = read(bodyOf(signed(changes)))
    return reading.kind === 'unverified' ? reading : reading.id
  }
  assert.equal(idOf(), idOf())
  assert.notEqual(idOf({ success: 'false' }), idOf())
})

// biome-ignore format: a table is read in columns.
const forged: readonly (readonly [what: string, body: Buffer])[] = [
  [ 'without a signature',                      bodyOf(item()) ],
  [ 'signed with another MID’s key',            bodyOf(signed({}, { by: '0'.repeat(64) })) ],
  [ 'with a changed amount',                    bodyOf({ ...signed(), amount: { value: 1131, currency: 'EUR' } }) ],
  [ 'with a changed success',                   bodyOf({ ...signed({ success: 'false' }), success: 'true' }) ],
  [ 'with a changed reference',                 bodyOf({ ...signed(), merchantReference: `${paymentId}.000000000003` }) ],
  [ 'with one good and one forged item',        bodyOf(signed(), item()) ],
  [ 'with a signature of another length',       bodyOf({ ...signed(), additionalData: { hmacSignature: 'AAAA' } }) ],
  [ 'with a signature that is no text',         bodyOf({ ...signed(), additionalData: { hmacSignature: 7 } }) ],
  [ 'without items',                            bodyOf() ],
  [ 'that is not JSON',                         Buffer.from('{"live":') ],
  [ 'that is empty',                            Buffer.alloc(0) ],
  [ 'that is a megabyte of noise',              Buffer.alloc(1_048_576, 0x5b) ],
  [ 'that is a list',                           Buffer.from('[1,2]') ],
  [ 'with a date that is none',                 bodyOf(signed({ eventDate: 'yesterday' })) ],
]

for (const [what, body] of forged) {
  test(`a notification ${what} is not believed`, () => assert.equal(read(body).kind, 'unverified'))
}

test('while the key is replaced the previous one still counts, and afterwards no more', () => {
  const next = { hmac_key: '1'.repeat(64) }
  assert.equal(read(bodyOf(signed()), { ...next, hmac_key_previous: key }).kind, 'verified')
  assert.equal(read(bodyOf(signed()), next).kind, 'unverified')
})

test('payments of other shops and other merchant accounts of the company are passed over', () => {
  assert.equal(eventsOf({ merchantReference: 'ORDER-7' }), 'ignored')
  assert.equal(eventsOf({ merchantAccountCode: 'AnotherECOM' }), 'ignored')
  assert.equal(eventsOf({ eventCode: 'REPORT_AVAILABLE' }), 'ignored')
  assert.equal(eventsOf({ eventCode: 'AN_EVENT_OF_THE_FUTURE' }), 'ignored')
})

const [psp, facts] = ['QFQTPCQ8HXSKGK82', { reference: 'QFQTPCQ8HXSKGK82' }] as const
const decided = (eventCode: string, outcome: Fields) => [
  { ...common, kind: 'decided', reference: `${psp}:${eventCode}`, acquirerReference: psp, outcome },
]

for (const eventCode of ['AUTHORISATION', 'CAPTURE', 'CANCELLATION', 'CANCEL_OR_REFUND', 'REFUND']) {
  test(`${eventCode} decides the transaction both ways`, () => {
    assert.deepEqual(eventsOf({ eventCode }), decided(eventCode, { result: 'approved', facts }))
    assert.deepEqual(
      eventsOf({ eventCode, success: 'false', reason: 'Not enough balance' }),
      decided(eventCode, { result: 'declined', reason: 'Not enough balance', declineClass: 'soft', facts }),
    )
  })
}

test('a late authorisation brings its facts along', () => {
  const [event] = eventsOf({ eventCode: 'AUTHORISATION' }, { authCode: '044925', cvcResultRaw: 'M' })
  assert.deepEqual(Object(event).outcome.facts, { ...facts, approvalCode: '044925', extended: { cvv_result: 'M' } })
})

test('a technical cancel says that nothing was executed, and its failure says nothing', () => {
  const outcome = { result: 'not-executed', reason: 'Cancelled at the acquirer', facts: {} }
  const [event] = eventsOf({ eventCode: 'TECHNICAL_CANCEL' })
  assert.deepEqual(Object(event).outcome, outcome)
  assert.equal(eventsOf({ eventCode: 'TECHNICAL_CANCEL', success: 'false' }), 'ignored')
})

test('refunds that fail later, holds that lapse and offers that close are reported', () => {
  assert.deepEqual(eventsOf({ eventCode: 'REFUND_FAILED', reason: 'Account closed' }), [
    { ...common, kind: 'refund-failed', reference: `${psp}:REFUND_FAILED`, reason: 'Account closed' },
  ])
  const { paymentId: id, at: when } = common
  assert.deepEqual(eventsOf({ eventCode: 'EXPIRE' }), [
    { kind: 'lapse', reference: `${psp}:EXPIRE`, paymentId: id, at: when },
  ])
  const [closed] = eventsOf({ eventCode: 'OFFER_CLOSED' })
  assert.deepEqual(Object(closed).outcome, { result: 'declined', reason: 'Expired', declineClass: 'hard', facts })
})

test('a chargeback takes the money and opens a dispute with its deadline', () => {
  const data = {
    chargebackReasonCode: ' 4853',
    defensePeriodEndsAt: '2026-03-31T03:03:07+02:00',
    disputeStatus: 'Undefended',
  }
  assert.deepEqual(eventsOf({ eventCode: 'CHARGEBACK', reason: 'Goods not received' }, data), [
    {
      kind: 'chargeback',
      reference: `${psp}:CHARGEBACK`,
      paymentId,
      amountMinor: 1130n,
      at: new Date(at),
      bankDate: '2026-03-01',
      reasonCode: '4853 Goods not received',
    },
    {
      kind: 'dispute-changed',
      reference: `${psp}:CHARGEBACK:dispute`,
      dispute: psp,
      chargeback: `${psp}:CHARGEBACK`,
      paymentId,
      at: new Date(at),
      state: 'evidence-due',
      amountMinor: 1130n,
      evidenceDueAt: new Date('2026-03-31T03:03:07+02:00'),
      reasonCode: '4853 Goods not received',
      isInquiry: false,
    },
  ])
})

// biome-ignore format: a table is read in columns.
const inquiries = [
  // event                        data                                                             state           it is an inquiry
  ['REQUEST_FOR_INFORMATION',      { disputeStatus: 'Unresponded' },                                'evidence-due', true      ],
  ['REQUEST_FOR_INFORMATION',      { disputeStatus: 'Responded' },                                  'under-review', true      ],
  ['REQUEST_FOR_INFORMATION',      { disputeStatus: 'Expired' },                                    'lost',         true      ],
  ['INFORMATION_SUPPLIED',         { disputeStatus: 'Pending', rfiReasonCode: '6305' },             'under-review', true      ],
  ['INFORMATION_SUPPLIED',         { disputeStatus: 'Pending', chargebackReasonCode: '10.4', rfiReasonCode: '6305' }, 'under-review', false ],
  ['INFORMATION_SUPPLIED',         { disputeStatus: 'Pending' },                                    'under-review', undefined ],
  ['DISPUTE_DEFENSE_PERIOD_ENDED', { disputeStatus: 'Accepted', rfiReasonCode: '6305' },            'lost',         true      ],
  ['NOTIFICATION_OF_CHARGEBACK',   { disputeStatus: 'Undefended' },                                 'evidence-due', false     ],
] as const

for (const [eventCode, data, state, isInquiry] of inquiries) {
  test(`${eventCode} with ${Object.values(data).join(', ')}: inquiry ${isInquiry}, ${state}`, () => {
    const [event, ...more] = disputeEventsOf({ eventCode, originalReference: '8514000000000000' }, data)
    assert.deepEqual([event?.['state'], event?.['isInquiry'], more], [state, isInquiry, []])
    assert.equal(event?.['chargeback'], `${psp}:CHARGEBACK`, 'the reference of the chargeback that may follow')
  })
}

test('each status of a request for information is a notification of its own, and what is supplied for it another than for the chargeback', () => {
  const references = inquiries
    .slice(0, 5)
    .map(([eventCode, data]) => disputeEventsOf({ eventCode }, data)[0]?.['reference'])
  assert.equal(new Set(references).size, references.length, references.join())
})

// biome-ignore format: a table is read in columns.
const disputes = [
  // event                       disputeStatus  state
  [ 'REQUEST_FOR_INFORMATION',   undefined,     'evidence-due' ],
  [ 'NOTIFICATION_OF_CHARGEBACK', undefined,    'opened'       ],
  [ 'INFORMATION_SUPPLIED',      'Pending',     'under-review' ],
  [ 'CHARGEBACK_REVERSED',       undefined,     'under-review' ],
  [ 'CHARGEBACK_REVERSED',       'Won',         'won'          ],
  [ 'ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'Won', 'won'          ],
  [ 'DISPUTE_DEFENSE_PERIOD_ENDED', 'Expired',  'lost'         ],
  [ 'PREARBITRATION_OPEN',       'Undefended',  'pre-arbitration' ],
  [ 'PREARBITRATION_DECLINED',   'Pending',     'pre-arbitration' ],
  [ 'PREARBITRATION_ACCEPTED',   undefined,     'pre-arbitration' ],
  [ 'PREARBITRATION_ACCEPTED',   'Lost',        'lost'         ],
  [ 'PREARBITRATION_ISSUER_WITHDRAWN', undefined, 'won'        ],
  [ 'PREARBITRATION_WON',        undefined,     'won'          ],
  [ 'PREARBITRATION_LOST',       undefined,     'lost'         ],
  [ 'SCHEME_ARBITRATION',        'Pending',     'pre-arbitration' ],
  [ 'SCHEME_ARBITRATION_WON',    undefined,     'won'          ],
  [ 'SCHEME_ARBITRATION_LOST',   undefined,     'lost'         ],
] as const

for (const [eventCode, disputeStatus, state] of disputes) {
  test(`${eventCode}${disputeStatus ? ` with status ${disputeStatus}` : ''}: the dispute is ${state}`, () => {
    const changes = disputeEventsOf({ eventCode }, disputeStatus ? { disputeStatus } : {})
    const [event, ...more] = changes.filter(({ kind }) => kind !== 'chargeback-returned')
    assert.deepEqual([event?.['kind'], event?.['state'], more], ['dispute-changed', state, []])
  })
}

test('a reversed chargeback brings the money back, whether the dispute is decided or not', () => {
  for (const data of [{}, { disputeStatus: 'Pending' }, { disputeStatus: 'Won' }]) {
    const [returned] = eventsOf({ eventCode: 'CHARGEBACK_REVERSED' }, data)
    assert.deepEqual(returned, {
      kind: 'chargeback-returned',
      reference: `${psp}:CHARGEBACK_REVERSED`,
      chargeback: `${psp}:CHARGEBACK`,
      paymentId,
      at: new Date(at),
      amountMinor: 1130n,
      mayBeUntaken: false,
    })
  }
})

test('a report without the payment’s reference in a field of its own names the payment and not the dispute', () => {
  for (const eventCode of ['CHARGEBACK_REVERSED', 'PREARBITRATION_WON', 'PREARBITRATION_LOST']) {
    for (const event of disputeEventsOf({ eventCode, originalReference: '' }))
      assert.equal(event['chargeback'], null, `${eventCode}: ${event['kind']}`)
  }
  const [taken] = disputeEventsOf({ eventCode: 'SECOND_CHARGEBACK', originalReference: '' })
  assert.equal(taken?.['reference'], `${psp}:SECOND_CHARGEBACK`)
})

test('a second chargeback takes the money again, and its dispute is lost', () => {
  const [taken, changed] = disputeEventsOf({ eventCode: 'SECOND_CHARGEBACK' }, { disputeStatus: 'Lost' })
  assert.deepEqual([taken?.['kind'], taken?.['reference']], ['chargeback', `${psp}:SECOND_CHARGEBACK`])
  assert.deepEqual(
    [changed?.['kind'], changed?.['chargeback'], changed?.['state']],
    ['dispute-changed', taken?.['reference'], 'lost'],
  )
})
