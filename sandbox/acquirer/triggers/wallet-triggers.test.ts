// Written from chapter 40 §20.2 and chapter 20 §18, "wallet".
import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../kit/testing/temporary-folder.ts'
import { Acquirer } from '../acquirer.ts'
import {
  type AcquirerReply,
  decisionText,
  firstBody,
  openTestAcquirer,
  type TestAcquirer,
} from '../testing/test-acquirer.ts'

const declinedByProcessing = 'declined hard Declined by processing'
const later = 'declined soft Try again later'
const authentication = 'declined authentication_required Authentication required'
const return_url = 'https://pay.example.com/verify/redirect/0/0'

// biome-ignore format: a table is read in columns.
const cards = [
  // card               DPAN                FPAN                on the first MID
  [ 'approve',          '4000001000000018', '4000009000000011', 'approved'  ],
  [ 'decline',          '4000001000000026', '4000009000000029', declinedByProcessing  ],
  [ 'soft-decline',     '4000001000000034', '4000009000000037', later       ],
  [ 'capture-decline',  '4000001000000042', '4000009000000045', 'approved'  ],
  [ 'challenge',        '4000001000000067', '4000009000000060', 'approved'  ],
  [ 'refund-decline',   '4000001000000075', '4000009000000078', 'approved'  ],
  [ 'approve-mc',       '5200001000000013', '5200009000000016', 'approved'  ],
  [ 'decline-mc',       '5200001000000021', '5200009000000024', declinedByProcessing  ],
  [ 'approve-amex',     '370000100000019',  '370000900000011',  'approved'  ],
] as const

const dpan = { name: 'walletapay', pan_type: 'DPAN', data_type: '3DSecure', cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=' }
const fpan = { name: 'walletbpay', pan_type: 'FPAN' }

/** Stands for the simulator's record: a token is the card's name and the kind of its number. */
const tokens = {
  cardOf: (token: string) => {
    const [card = '', panType] = token.split(' ')
    return panType === undefined ? null : { card, panType }
  },
}
const closedToken = (token: string) => ({ name: 'walletapay', token })

for (const [card, device, funding, outcome] of cards) {
  test(`the device number of ${card}, opened or in its token, is "${outcome}"`, async (t) => {
    const acquirer = await openTestAcquirer(t, { tokens })
    assert.equal(decisionText(await acquirer.wallet(dpan, device)), outcome)
    for (const panType of ['DPAN', 'MPAN']) {
      const order_id = `ORDER-${panType}`
      assert.equal(decisionText(await acquirer.wallet(closedToken(`${card} ${panType}`), null, { order_id })), outcome)
    }
  })

  test(`the funding number of ${card}, opened or in its token, is "${outcome}" once the payer is authenticated`, async (t) => {
    const acquirer = await openTestAcquirer(t, { tokens })
    const external_3ds = { eci: '05' }
    assert.equal(decisionText(await acquirer.wallet(fpan, funding, { external_3ds })), outcome)
    const order_id = 'ORDER-2'
    assert.equal(
      decisionText(await acquirer.wallet(closedToken(`${card} FPAN`), null, { external_3ds, order_id })),
      outcome,
    )
  })
}

test('the funding number of challenge asks for 3DS: of the gateway when opened, on our own page in a token', async (t) => {
  const acquirer = await openTestAcquirer(t, { tokens })
  assert.equal(decisionText(await acquirer.wallet(fpan, '4000009000000060', { return_url })), authentication)
  const inToken = await acquirer.wallet(closedToken('challenge FPAN'), null, { return_url })
  assert.equal(decisionText(inToken), 'redirect')
  const body = new URLSearchParams({ decision: 'approve' })
  await fetch(acquirer.url + inToken.body.redirect_path, { method: 'POST', body, redirect: 'manual' })
  assert.equal(decisionText(await acquirer.status(inToken.id)), 'approved')
  assert.equal(
    decisionText(await acquirer.wallet(closedToken('challenge FPAN'), null)),
    authentication,
    'nobody to send there',
  )
})

test('soft-decline is declined softly on the first MID of an order and approved on the next', async (t) => {
  const acquirer = await openTestAcquirer(t, { tokens })
  const attempts: readonly ((mid: string) => Promise<AcquirerReply>)[] = [
    (mid) => acquirer.wallet(dpan, '4000001000000034', { mid, order_id: 'A' }),
    (mid) => acquirer.wallet(closedToken('soft-decline DPAN'), null, { mid, order_id: 'B' }),
  ]
  for (const attempt of attempts) {
    assert.equal(decisionText(await attempt('MID-1')), later)
    assert.equal(decisionText(await attempt('MID-2')), 'approved')
  }
})

test('undefined gives no answer and is found approved after 30 s, with one effect', async (t) => {
  const acquirer = await openTestAcquirer(t, { tokens })
  const sends: readonly ((acquirer: TestAcquirer, id: string) => Promise<AcquirerReply>)[] = [
    (to, id) => to.wallet(dpan, '4000001000000059', {}, id),
    (to, id) => to.wallet(fpan, '4000009000000052', {}, id),
    (to, id) => to.wallet(closedToken('undefined DPAN'), null, {}, id),
  ]
  for (const send of sends) {
    const id = randomUUID()
    await assert.rejects(send(acquirer, id))
    assert.equal(decisionText(await acquirer.status(id)), 'pending')
    await acquirer.advance(30_000)
    assert.equal(decisionText(await acquirer.status(id)), 'approved')
    assert.deepEqual(await acquirer.effects(id), ['sale 1000'])
  }
})

test('capture-decline holds and is not captured; refund-decline is taken and not refunded', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const hold = await acquirer.wallet(dpan, '4000001000000042', { type: 'authorize' })
  assert.equal(decisionText(hold), 'approved')
  assert.equal(decisionText(await acquirer.later('capture', hold, '1000')), declinedByProcessing)
  assert.equal(decisionText(await acquirer.later('reverse', hold, '1000')), 'approved')
  const sale = await acquirer.wallet(dpan, '4000001000000075')
  assert.equal(decisionText(await acquirer.later('refund', sale, '1000')), declinedByProcessing)
  assert.equal(decisionText(await acquirer.later('void', sale, '1000')), 'approved')
})

test('a token that nobody minted comes from a real device and is approved, and so is its number', async (t) => {
  const acquirer = await openTestAcquirer(t, { tokens })
  assert.equal(decisionText(await acquirer.wallet(closedToken('of-a-device'), null)), 'approved')
  assert.equal(decisionText(await acquirer.wallet(dpan, '4000056655665556')), 'approved')
})

test('the standard test cards do not work in a wallet', async (t) => {
  const acquirer = await openTestAcquirer(t)
  for (const number of [
    '4111111111111111',
    '4601541833776519',
    '5555555555554444',
    '378282246310005',
    '4917484589897107',
    '4000000000000002',
  ]) {
    assert.equal(decisionText(await acquirer.wallet(dpan, number)), declinedByProcessing)
  }
})

test('the numbers of the wallet do not work typed as cards, but may be charged again once they are stored', async (t) => {
  const acquirer = await openTestAcquirer(t)
  for (const number of ['4000001000000018', '4000009000000011']) {
    assert.equal(decisionText(await acquirer.first('sale', number, '12/2031')), declinedByProcessing)
    assert.equal(decisionText(await acquirer.first('sale', number, '12/2031', { recurring: 'subsequent' })), 'approved')
  }
})

test('a trigger in the identifier wins over the card', async (t) => {
  const acquirer = await openTestAcquirer(t, { tokens })
  const brand = (identifier: string) => ({ brand: { code: 'walletapay', kind: 'wallet', identifier } })
  assert.equal(
    decisionText(await acquirer.wallet(dpan, '4000001000000018', brand('fail@example.com'))),
    declinedByProcessing,
  )
  assert.equal(
    decisionText(await acquirer.wallet(closedToken('decline DPAN'), null, brand('success@example.com'))),
    'approved',
  )
  assert.equal(
    decisionText(await acquirer.wallet(closedToken('decline DPAN'), null, brand('payer-1'))),
    declinedByProcessing,
  )
})

test('the ledger proves that the token came byte for byte, and shows what was opened without showing it', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const token = '{"version":"EC_v1", "data":"a\\/b+é=",  "header":{}}\n'
  await acquirer.wallet(closedToken(token), null)
  await acquirer.wallet(dpan, '4000001000000018')
  const [one, other] = (await acquirer.ask('GET', '/ledger')).body.entries
  assert.deepEqual(one?.wallet, { name: 'walletapay', token_sha256: hash('sha256', token, 'hex') })
  assert.deepEqual(other?.wallet, {
    name: 'walletapay',
    pan_type: 'DPAN',
    cryptogram_sent: true,
    data_type: '3DSecure',
  })
})

test('neither token nor number nor cryptogram is in the journal', async (t) => {
  const folder = await temporaryFolder(t)
  const acquirer = await Acquirer.open(folder)
  const body = { ...firstBody('sale', '', '12/2031'), card: undefined, payment_id: 'p-1' }
  await acquirer.submit('key-1', { ...body, wallet: closedToken('the text of a token') })
  const card = { number: '4000001000000018', exp_month: 12, exp_year: 2031 }
  await acquirer.submit('key-2', { ...body, card, wallet: { ...dpan, emv_data: 'nyYIAQIDBAU=' } })
  await acquirer.close()
  const journal = await readFile(join(folder, 'journal.jsonl'), 'utf8')
  assert.equal(journal.trim().split('\n').length, 2)
  for (const secret of ['the text of a token', card.number, dpan.cryptogram, 'nyYIAQIDBAU=']) {
    assert.ok(!journal.includes(secret), secret)
  }
})

test('a key that comes with another token is refused; a repeated one may lack the cryptogram', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await acquirer.wallet(closedToken('one'), null)
  assert.deepEqual((await acquirer.wallet(closedToken('one'), null, {}, sale.id)).body, sale.body)
  assert.equal((await acquirer.wallet(closedToken('two'), null, {}, sale.id)).status, 422)
  const opened = await acquirer.wallet(dpan, '4000001000000018')
  const { cryptogram: _, ...without } = dpan
  assert.deepEqual((await acquirer.wallet(without, '4000001000000018', {}, opened.id)).body, opened.body)
})

// biome-ignore format: a table is read in columns.
const malformedRequests: readonly (readonly [what: string, wallet: object, number: string | null])[] = [
  ['no name',                     { token: 'text' },                              null],
  ['neither token nor kind',      { name: 'walletapay' },                         '4000001000000018'],
  ['both of them',                { name: 'walletapay', token: 'text', pan_type: 'DPAN' }, null],
  ['a token and a number',        { name: 'walletapay', token: 'text' },          '4000001000000018'],
  ['an opened token, no number',  { name: 'walletapay', pan_type: 'DPAN' },       null],
]

for (const [what, wallet, number] of malformedRequests) {
  test(`a wallet with ${what} is refused before anything happens`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    const answer = await acquirer.wallet(wallet, number)
    assert.deepEqual([answer.status, answer.body.error?.code], [400, 'invalid_request'])
  })
}
