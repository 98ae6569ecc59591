/**
 * The payment methods of a SALE: card data, saved card or wallet, MOTO and external authentication. Chapter 10 §2, §7.1.2, §7.1.7, §7.1.8.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { type Fields, goodCard, noCard, openShop, type RequestFields } from '../../shop.ts'
import { walletPair } from '../../wallets/wallet-pair.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const blank = (param: string): string => `${param}: ${says.blank}`
const notValid = (param: string): string => `${param}: ${says.notValid}`

/** A number of this length with a valid check digit. */
function numberOf(length: number): string {
  const body = `4${'0'.repeat(length - 2)}`
  const check = Array.from({ length: 10 }, (_, digit) => `${body}${digit}`).find((number) => luhnSum(number) % 10 === 0)
  return check ?? ''
}

const luhnSum = (number: string): number =>
  Array.from(number)
    .reverse()
    .reduce((sum, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1)
      return sum + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)

/** `YYYY-MM`, the given number of months from now, in the merchant's time zone (UTC). */
function monthFromNow(months: number): Fields {
  const now = shop.base.clock.now()
  const then = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
  return {
    card_exp_month: String(then.getUTCMonth() + 1).padStart(2, '0'),
    card_exp_year: String(then.getUTCFullYear()),
  }
}

/** Without rows the request is processed, whatever the acquirer answers. */
const cardValues: readonly (readonly [title: string, over: RequestFields, rows: readonly string[]])[] = [
  ['a card number of 12 digits', { card_number: numberOf(12) }, []],
  ['a card number of 19 digits', { card_number: numberOf(19) }, []],
  ['a card number of 11 digits', { card_number: numberOf(11) }, [notValid('card_number')]],
  ['a card number of 20 digits', { card_number: numberOf(20) }, [notValid('card_number')]],
  ['a card number with spaces', { card_number: '4111 1111 1111 1111' }, [notValid('card_number')]],
  ['a card number with a space at the end', { card_number: '4111111111111111 ' }, [notValid('card_number')]],
  ['a card number with a wrong check digit', { card_number: '4111111111111112' }, [notValid('card_number')]],
  ['digits of another script', { card_number: '٤١١١١١١١١١١١١١١١' }, [notValid('card_number')]],
  ['month 12', { card_exp_month: '12' }, []],
  ['month 00', { card_exp_month: '00' }, [notValid('card_exp_month')]],
  ['month 13', { card_exp_month: '13' }, [notValid('card_exp_month')]],
  ['a month of one digit', { card_exp_month: '1' }, [notValid('card_exp_month')]],
  ['a year of two digits', { card_exp_year: '38' }, [notValid('card_exp_year')]],
  ['a year of five digits', { card_exp_year: '20380' }, [notValid('card_exp_year')]],
  ['the current month', monthFromNow(0), []],
  ['the month before the current one', monthFromNow(-1), [notValid('card_exp_year')]],
  ['the same month a year ago', monthFromNow(-12), [notValid('card_exp_year')]],
  ['a verification code of 3 digits', { card_cvv2: '123' }, []],
  ['a verification code of 4 digits', { card_cvv2: '1234' }, []],
  ['a verification code of 2 digits', { card_cvv2: '12' }, [notValid('card_cvv2')]],
  ['a verification code of 5 digits', { card_cvv2: '12345' }, [notValid('card_cvv2')]],
  ['a verification code of letters', { card_cvv2: 'abc' }, [notValid('card_cvv2')]],
]

for (const [title, over, rows] of cardValues) {
  test(`${title}: ${rows.length === 0 ? 'accepted' : rows.join(', ')}`, async () => {
    assertViolations(await shop.sale(over), rows)
  })
}

test('a card is valid until the end of its month in the merchant’s time zone, not in UTC', async () => {
  const merchant = 'demo-no-moto'
  const zone = (name: string) => shop.configure('update merchants set time_zone = $1 where name = $2', [name, merchant])
  const { card_exp_month, card_exp_year } = monthFromNow(0)
  const lastHour = Date.UTC(Number(card_exp_year), Number(card_exp_month), 1) - 3_600_000
  await shop.advance(Math.max(0, lastHour - shop.base.clock.now().getTime()))
  const thisMonth = { card_exp_month: card_exp_month ?? '', card_exp_year: card_exp_year ?? '' }
  await zone('Pacific/Kiritimati')
  assertViolations(await shop.sale(thisMonth, { merchant }), [notValid('card_exp_year')])
  await zone('UTC')
  assertViolations(await shop.sale(thisMonth, { merchant }), [])
})

const junkExpiry: Fields = { card_exp_month: 'x', card_exp_year: 'x' }
let token = ''

before(async () => {
  token = (await shop.sale({ req_token: 'Y' })).body.card_token
  assert.match(token, /^[0-9a-f]{64}$/)
})

async function sourceOf(transId: string): Promise<string> {
  const { rows } = await shop.base.pool.query('select card_source from payments where id = $1', [transId])
  return rows[0].card_source
}

test('card data take precedence over a token and a wallet pair, which are not validated', async () => {
  const answer = await shop.sale({ ...goodCard, card_token: 'x', digital_wallet: 'x', payment_token: 'x' })
  assertViolations(answer, [])
  assert.equal(await sourceOf(answer.body.trans_id), 'card')
})

test('a token without card data takes precedence over a wallet pair; req_token and the expiry are not validated', async () => {
  const answer = await shop.sale({
    card_token: token,
    digital_wallet: 'x',
    payment_token: 'x',
    req_token: 'x',
    ...junkExpiry,
  })
  assertViolations(answer, [])
  assert.equal(await sourceOf(answer.body.trans_id), 'token')
})

test('with a token the verification code is optional, and req_token returns no token', async () => {
  const { body } = await shop.sale({ card_token: token, req_token: 'Y' })
  assert.equal(body.result, 'SUCCESS')
  assert.equal('card_token' in body, false)
})

const allBlank = [blank('card_number'), blank('card_exp_month'), blank('card_exp_year'), blank('card_cvv2')]

const sources: readonly (readonly [title: string, over: RequestFields, rows: readonly string[]])[] = [
  ['no card source at all', noCard, allBlank],
  [
    'no card source and a req_token that is no flag',
    { ...noCard, req_token: 'x' },
    [...allBlank, `req_token: ${says.notChoice}`],
  ],
  ['digital_wallet without payment_token', { ...noCard, digital_wallet: 'walletapay' }, [blank('payment_token')]],
  [
    'payment_token without digital_wallet',
    { ...walletPair, ...noCard, digital_wallet: undefined },
    [blank('digital_wallet')],
  ],
  ['expiry and code without a number', { card_number: undefined }, [blank('card_number')]],
  ['a number alone', { ...noCard, card_number: goodCard['card_number'] }, allBlank.slice(1)],
  ['a token of 63 characters', { ...noCard, card_token: 'a'.repeat(63) }, [notValid('card_token')]],
  ['a token of 65 characters', { ...noCard, card_token: 'a'.repeat(65) }, [notValid('card_token')]],
  ['a token that is not hexadecimal', { ...noCard, card_token: 'g'.repeat(64) }, [notValid('card_token')]],
  [
    'an unknown wallet',
    { ...noCard, ...walletPair, digital_wallet: 'walletcpay' },
    [`digital_wallet: ${says.notChoice}`],
  ],
  [
    'a wallet token that is no JSON object',
    { ...noCard, ...walletPair, payment_token: 'x' },
    [notValid('payment_token')],
  ],
  [
    'a wallet token in bracket form',
    { ...noCard, digital_wallet: 'walletapay', 'payment_token[a]': '1' },
    [notValid('payment_token')],
  ],
  ['a MOTO value with a wallet', { ...noCard, ...walletPair, moto_type: 'phone_moto' }, [notValid('moto_type')]],
]

for (const [title, over, rows] of sources) {
  test(`${title}: ${rows.join(', ')}`, async () => assertViolations(await shop.sale(over), rows))
}

test('auth=Y with a wallet token is refused before any other rule of step 10', async () => {
  assertRefused(await shop.sale({ ...noCard, ...walletPair, auth: 'Y' }), 204005, 'Payment action not supported.')
})

for (const moto of ['phone_moto', 'email_moto', 'default_moto']) {
  test(`moto_type=${moto} makes the verification code optional and is returned in answer, callback and look-ups`, async () => {
    const { body } = await shop.sale({ moto_type: moto, card_cvv2: undefined })
    assert.equal(body.result, 'SUCCESS')
    await assertEchoes(body, moto)
  })
}

test('moto_type=ecommerce is returned too, but the verification code stays required', async () => {
  assertViolations(await shop.sale({ moto_type: 'ecommerce', card_cvv2: undefined }), [blank('card_cvv2')])
  const { body } = await shop.sale({ moto_type: 'ecommerce' })
  await assertEchoes(body, 'ecommerce')
})

async function assertEchoes(body: { moto_type: string; trans_id: string }, moto: string): Promise<void> {
  assert.equal(body.moto_type, moto)
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(callback?.fields['moto_type'], moto)
  for (const action of ['GET_TRANS_STATUS', 'GET_TRANS_DETAILS'])
    assert.equal((await shop.followUp(action, body.trans_id)).body.moto_type, moto)
}

test('moto_type can be combined with auth=Y, and has exactly four values', async () => {
  const { body } = await shop.sale({ moto_type: 'phone_moto', auth: 'Y' })
  assert.deepEqual([body.status, body.moto_type], ['PENDING', 'phone_moto'])
  assertViolations(await shop.sale({ moto_type: 'Phone_Moto' }), [`moto_type: ${says.notChoice}`])
})

test('moto_type on a follow-up is ignored and not returned', async () => {
  const { body } = await shop.sale({ auth: 'Y' })
  const captured = await shop.followUp('CAPTURE', body.trans_id, { moto_type: 'fax' })
  assert.equal(captured.body.result, 'SUCCESS')
  assert.equal('moto_type' in captured.body, false)
})

const mpi: Fields = {
  'mpi_data[eci]': '05',
  'mpi_data[authentication_value]': 'A'.repeat(28),
  'mpi_data[ds_trans_id]': 'f38e6948-5388-41a6-bca4-b49723c19437',
  'mpi_data[3ds_version]': '2.2.0',
}

/** Without a text the value is accepted. */
// biome-ignore format: a table is read in columns.
const parts: readonly (readonly [part: string, value: string | undefined, text?: string])[] = [
  ['eci',                  undefined,       says.blank],
  ['eci',                  '5',             says.notValid],
  ['eci',                  '005',           says.notValid],
  ['eci',                  'é5'],
  ['authentication_value', undefined,       says.blank],
  ['authentication_value', 'A'.repeat(27),  says.notValid],
  ['authentication_value', 'A'.repeat(64)],
  ['authentication_value', 'A'.repeat(65),  says.notValid],
  ['authentication_value', '\u{1F45F}'.repeat(64)],
  ['ds_trans_id',          undefined,       says.blank],
  ['ds_trans_id',          'F38E6948-5388-41A6-BCA4-B49723C19437'],
  ['ds_trans_id',          'f38e6948538841a6bca4b49723c19437', says.notValid],
  ['3ds_version',          undefined,       says.blank],
  ['3ds_version',          '10.20.30'],
  ['3ds_version',          '2.2',           says.notValid],
  ['3ds_version',          '2.2.0.0',       says.notValid],
  ['3ds_version',          '2.x.0',         says.notValid],
  ['trans_status',         'N'],
  ['trans_status',         'y',             says.notValid],
  ['trans_status',         'YY',            says.notValid],
  ['xid',                  'x'.repeat(64)],
  ['xid',                  'x'.repeat(65),  says.notValid],
]

for (const [part, value, text] of parts) {
  const param = `mpi_data[${part}]`
  const shown =
    value === undefined ? 'missing' : value.length > 40 ? `of ${Array.from(value).length} characters` : value
  test(`${param} ${shown} is ${text === undefined ? 'accepted' : `refused: ${text}`}`, async () => {
    assertViolations(await shop.sale({ ...mpi, [param]: value }), text === undefined ? [] : [`${param}: ${text}`])
  })
}

test('every fault of mpi_data has its row, in the order of the table', async () => {
  const rows = [blank('mpi_data[eci]'), blank('mpi_data[authentication_value]'), blank('mpi_data[ds_trans_id]')]
  const more = [blank('mpi_data[3ds_version]'), notValid('mpi_data[trans_status]'), notValid('mpi_data[xid]')]
  assertViolations(await shop.sale({ 'mpi_data[xid][a]': '1', 'mpi_data[trans_status]': 'x' }), [...rows, ...more])
})

test('mpi_data as a text, or with a nested value for a part, is not valid', async () => {
  assertViolations(await shop.sale({ mpi_data: 'x' }), [notValid('mpi_data')])
  assertViolations(await shop.sale({ ...mpi, 'mpi_data[eci]': undefined, 'mpi_data[eci][a]': '05' }), [
    notValid('mpi_data[eci]'),
  ])
})

test('mpi_data with only empty parts counts as not sent', async () => {
  assertViolations(await shop.sale({ mpi_data: '' }), [])
  assertViolations(await shop.sale(Object.fromEntries(Object.keys(mpi).map((name) => [name, ' ']))), [])
})

for (const [name, over] of Object.entries({ 'SALE with auth=Y': { auth: 'Y' }, AUTH: { action: 'AUTH' } })) {
  test(`${name} ignores mpi_data`, async () => {
    const answer = await shop.sale({ ...over, 'mpi_data[eci]': 'x', 'mpi_data[xid]': 'x'.repeat(65) })
    assertViolations(answer, [])
    assert.equal(answer.body.status, 'PENDING')
  })
}

test('AUTH is SALE with auth=Y whatever auth was sent, and answers as SALE', async () => {
  for (const auth of [undefined, 'N', 'Y', 'x']) {
    const { body } = await shop.sale({ action: 'AUTH', auth })
    assert.deepEqual([body.action, body.status], ['SALE', 'PENDING'], `auth=${auth}`)
  }
})

test('no status of an external authentication declines the payment', async () => {
  for (const status of ['N', 'U', 'R']) {
    const { body } = await shop.sale({ ...mpi, 'mpi_data[trans_status]': status })
    assert.equal(body.result, 'SUCCESS', status)
  }
})
