// Written from chapter 40 §20.2 and chapter 20 §18, "wallet".
import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Acquirer } from '../acquirer.ts'
import {
  type BankReply,
  decisionText,
  firstBody,
  openBank,
  type TestBank,
  temporaryFolder,
} from '../testing/test-bank.ts'

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
    const bank = await openBank(t, tokens)
    assert.equal(decisionText(await bank.wallet(dpan, device)), outcome)
    for (const panType of ['DPAN', 'MPAN']) {
      const order_id = `ORDER-${panType}`
      assert.equal(decisionText(await bank.wallet(closedToken(`${card} ${panType}`), null, { order_id })), outcome)
    }
  })

  test(`the funding number of ${card}, opened or in its token, is "${outcome}" once the payer is authenticated`, async (t) => {
    const bank = await openBank(t, tokens)
    const external_3ds = { eci: '05' }
    assert.equal(decisionText(await bank.wallet(fpan, funding, { external_3ds })), outcome)
    const order_id = 'ORDER-2'
    assert.equal(
      decisionText(await bank.wallet(closedToken(`${card} FPAN`), null, { external_3ds, order_id })),
      outcome,
    )
  })
}

test('the funding number of challenge asks for 3DS: of the gateway when opened, on our own page in a token', async (t) => {
  const bank = await openBank(t, tokens)
  assert.equal(decisionText(await bank.wallet(fpan, '4000009000000060', { return_url })), authentication)
  const inToken = await bank.wallet(closedToken('challenge FPAN'), null, { return_url })
  assert.equal(decisionText(inToken), 'redirect')
  const body = new URLSearchParams({ decision: 'approve' })
  await fetch(bank.url + inToken.body.redirect_path, { method: 'POST', body, redirect: 'manual' })
  assert.equal(decisionText(await bank.status(inToken.id)), 'approved')
  assert.equal(
    decisionText(await bank.wallet(closedToken('challenge FPAN'), null)),
    authentication,
    'nobody to send there',
  )
})

test('soft-decline is declined softly on the first MID of an order and approved on the next', async (t) => {
  const bank = await openBank(t, tokens)
  const attempts: readonly ((mid: string) => Promise<BankReply>)[] = [
    (mid) => bank.wallet(dpan, '4000001000000034', { mid, order_id: 'A' }),
    (mid) => bank.wallet(closedToken('soft-decline DPAN'), null, { mid, order_id: 'B' }),
  ]
  for (const attempt of attempts) {
    assert.equal(decisionText(await attempt('MID-1')), later)
    assert.equal(decisionText(await attempt('MID-2')), 'approved')
  }
})

test('undefined gives no answer and is found approved after 30 s, with one effect', async (t) => {
  const bank = await openBank(t, tokens)
  const sends: readonly ((bank: TestBank, id: string) => Promise<BankReply>)[] = [
    (to, id) => to.wallet(dpan, '4000001000000059', {}, id),
    (to, id) => to.wallet(fpan, '4000009000000052', {}, id),
    (to, id) => to.wallet(closedToken('undefined DPAN'), null, {}, id),
  ]
  for (const send of sends) {
    const id = randomUUID()
    await assert.rejects(send(bank, id))
    assert.equal(decisionText(await bank.status(id)), 'pending')
    await bank.advance(30_000)
    assert.equal(decisionText(await bank.status(id)), 'approved')
    assert.deepEqual(await bank.effects(id), ['sale 1000'])
  }
})

test('capture-decline holds and is not captured; refund-decline is taken and not refunded', async (t) => {
  const bank = await openBank(t)
  const hold = await bank.wallet(dpan, '4000001000000042', { type: 'authorize' })
  assert.equal(decisionText(hold), 'approved')
  assert.equal(decisionText(await bank.later('capture', hold, '1000')), declinedByProcessing)
  assert.equal(decisionText(await bank.later('reverse', hold, '1000')), 'approved')
  const sale = await bank.wallet(dpan, '4000001000000075')
  assert.equal(decisionText(await bank.later('refund', sale, '1000')), declinedByProcessing)
  assert.equal(decisionText(await bank.later('void', sale, '1000')), 'approved')
})

test('a token that nobody minted comes from a real device and is approved, and so is its number', async (t) => {
  const bank = await openBank(t, tokens)
  assert.equal(decisionText(await bank.wallet(closedToken('of-a-device'), null)), 'approved')
  assert.equal(decisionText(await bank.wallet(dpan, '4000056655665556')), 'approved')
})

test('the standard test cards do not work in a wallet', async (t) => {
  const bank = await openBank(t)
  for (const number of [
    '4111111111111111',
    '4601541833776519',
    '5555555555554444',
    '378282246310005',
    '4917484589897107',
    '4000000000000002',
  ]) {
    assert.equal(decisionText(await bank.wallet(dpan, number)), declinedByProcessing)
  }
})

test('the numbers of the wallet do not work typed as cards, but may be charged again once they are stored', async (t) => {
  const bank = await openBank(t)
  for (const number of ['4000001000000018', '4000009000000011']) {
    assert.equal(decisionText(await bank.first('sale', number, '12/2031')), declinedByProcessing)
    assert.equal(decisionText(await bank.first('sale', number, '12/2031', { recurring: 'subsequent' })), 'approved')
  }
})

test('a trigger in the identifier wins over the card', async (t) => {
  const bank = await openBank(t, tokens)
  const brand = (identifier: string) => ({ brand: { code: 'walletapay', kind: 'wallet', identifier } })
  assert.equal(
    decisionText(await bank.wallet(dpan, '4000001000000018', brand('fail@example.com'))),
    declinedByProcessing,
  )
  assert.equal(
    decisionText(await bank.wallet(closedToken('decline DPAN'), null, brand('success@example.com'))),
    'approved',
  )
  assert.equal(
    decisionText(await bank.wallet(closedToken('decline DPAN'), null, brand('payer-1'))),
    declinedByProcessing,
  )
})

test('the ledger proves that the token came byte for byte, and shows what was opened without showing it', async (t) => {
  const bank = await openBank(t)
  const token = '{"version":"EC_v1", "data":"a\\/b+é=",  "header":{}}\n'
  await bank.wallet(closedToken(token), null)
  await bank.wallet(dpan, '4000001000000018')
  const [one, other] = (await bank.ask('GET', '/ledger')).body.entries
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
  const bank = await openBank(t)
  const sale = await bank.wallet(closedToken('one'), null)
  assert.deepEqual((await bank.wallet(closedToken('one'), null, {}, sale.id)).body, sale.body)
  assert.equal((await bank.wallet(closedToken('two'), null, {}, sale.id)).status, 422)
  const opened = await bank.wallet(dpan, '4000001000000018')
  const { cryptogram: _, ...without } = dpan
  assert.deepEqual((await bank.wallet(without, '4000001000000018', {}, opened.id)).body, opened.body)
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
    const bank = await openBank(t)
    const answer = await bank.wallet(wallet, number)
    assert.deepEqual([answer.status, answer.body.error?.code], [400, 'invalid_request'])
  })
}
