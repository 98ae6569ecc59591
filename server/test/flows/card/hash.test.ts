/** The hashes with which a request is accepted. Chapter 10 §2, §4.2, §4.3. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { rotatePassword } from '#server/setup/merchants.ts'
import { openAccount } from '../../account.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { formOf, goodCard, noCard, openShop, type RequestFields } from '../../shop.ts'
import { walletPair } from '../../wallets/wallet-pair.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const wrong = [`hash: ${says.wrongHash}`]

// The formulas, implemented independently of the service, so that both cannot have the same error.
const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const reverseText = (text: string): string => text.split('').reverse().join('')
const start = (email: string, password: string, term: string): string =>
  `${reverseText(email)}${password}${reverseText(term)}`.toUpperCase()

const email = 'doe@example.com'
const pan10 = '4111111111'

let merchant = ''
let password = ''
let token = ''

// Wrong hashes have a low rate limit, which these tests must not reach.
before(async () => {
  merchant = await openAccount(shop, { merchant: { ratePerSecond: 100_000 }, mids: [{ wallets: [] }] })
  password = shop.merchant(merchant).password
  token = (await shop.sale({ req_token: 'Y' }, { merchant })).body.card_token
})

const saleWith = (hash: string, over: RequestFields = {}) => shop.sale({ hash, ...over }, { merchant })

test('a hash is case-insensitive', async () => {
  const hash = md5(start(email, password, pan10))
  assertViolations(await saleWith(hash), [])
  assertViolations(await saleWith(hash.toUpperCase()), [])
})

test('a malformed hash is a wrong hash, not a violation of step 7', async () => {
  const hash = md5(start(email, password, pan10))
  for (const other of [
    'x',
    hash.slice(1),
    `${hash}0`,
    ` ${hash}`,
    `${hash} `,
    hash.replace(/.$/, 'g'),
    'é'.repeat(32),
    '0'.repeat(500),
  ])
    assertViolations(await saleWith(other), wrong)
  assertViolations(await shop.sale({ hash: undefined, 'hash[a]': hash }, { merchant }), wrong)
})

test('a hash that is not a text is a wrong hash', async () => {
  const body = `${formOf(shop.saleFields({}, { merchant })).toString()}&hash=%ff`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  assertViolations(await shop.send({ body, headers }), wrong)
})

test('a missing hash is a violation of step 7', async () => {
  assertViolations(await shop.sale({ hash: undefined }, { merchant }), [`hash: ${says.blank}`])
})

const formula = {
  1: () => start(email, password, pan10),
  '1 with token': () => start(email, password, token),
  8: () => start(email, password, ''),
  '1 with another card': () => start(email, password, '5555554444'),
  '1 without reversal': () => `${email}${password}${pan10}`.toUpperCase(),
  '1 not upper-cased': () => `${reverseText(email)}${password}${reverseText(pan10)}`,
}

type Name = keyof typeof formula
type Source = readonly [sent: string, over: () => RequestFields, right: Name, wrong: readonly Name[]]

/** The card source determines the formula. */
const sources: readonly Source[] = [
  ['card data', () => ({}), 1, [8, '1 with token', '1 with another card', '1 without reversal', '1 not upper-cased']],
  ['card data and a saved card', () => ({ card_token: token, ...goodCard }), 1, ['1 with token']],
  ['card data and a wallet token', () => walletPair, 1, [8]],
  ['a saved card', () => ({ ...noCard, card_token: token }), '1 with token', [1, 8]],
  ['a saved card and a wallet token', () => ({ ...noCard, card_token: token, ...walletPair }), '1 with token', [1, 8]],
]

for (const [sent, over, right, others] of sources) {
  test(`${sent}: Formula ${right}, and no other`, async () => {
    assertViolations(await saleWith(md5(formula[right]()), over()), [])
    for (const other of others) assertViolations(await saleWith(md5(formula[other]()), over()), wrong)
  })
}

test('a wallet token alone: Formula 8, and a hash with a card term is wrong', async () => {
  const over = { ...noCard, ...walletPair }
  assertRefused(await saleWith(md5(formula[8]()), over), 204018, 'Payment digital wallet not supported')
  assertViolations(await saleWith(md5(formula[1]()), over), wrong)
  assertViolations(await saleWith(md5(formula['1 with token']()), over), wrong)
})

test('an e-mail beyond ASCII is reversed byte by byte, and only its letters a to z are upper-cased', async () => {
  const payer_email = 'zoë@exämple.com'
  const bytes = Buffer.from(payer_email).reverse().toString('latin1')
  const raised = `${bytes}${password}${reverseText(pan10)}`.replace(/[a-z]/g, (letter) => letter.toUpperCase())
  assertViolations(await saleWith(md5Latin1(raised), { payer_email }), [])
  assertViolations(await saleWith(md5(start(payer_email, password, pan10)), { payer_email }), wrong)
})

const md5Latin1 = (text: string): string => createHash('md5').update(text, 'latin1').digest('hex')

test('the digest is that of the mapping', async () => {
  const { password: other } = shop.merchant('demo-sha256')
  const text = start(email, other, pan10)
  assertViolations(await shop.sale({ hash: sha256(text) }, { merchant: 'demo-sha256' }), [])
  assertViolations(await shop.sale({ hash: md5(text) }, { merchant: 'demo-sha256' }), wrong)
  assertViolations(await saleWith(sha256(formula[1]())), wrong)
})

test('every merchant signs with its own password', async () => {
  const { password: other } = shop.merchant('demo-no-moto')
  assertViolations(await saleWith(md5(start(email, other, pan10))), wrong)
})

test('after a rotation both passwords are valid until the end of the overlap, then only the new one', async () => {
  const rotating = await openAccount(shop)
  const { password: former } = shop.merchant(rotating)
  const { rows } = await shop.base.pool.query('select id from merchants where name = $1', [rotating])
  const until = new Date(shop.base.clock.now().getTime() + 60_000)
  const current = (await rotatePassword(shop.base, rows[0].id, until)).reveal()
  await shop.service.configuration.refresh()
  assert.notEqual(current, former)

  const signedBy = (one: string) => shop.sale({ hash: md5(start(email, one, pan10)) }, { merchant: rotating })
  assertViolations(await signedBy(former), [])
  const { body } = await signedBy(current)
  const [callback] = await shop.callbacks(body.trans_id)
  const signedText = `${reverseText(email)}${current}${body.trans_id}${reverseText(pan10)}`.toUpperCase()
  assert.equal(callback?.fields['hash'], md5(signedText), 'callbacks are signed with the current password')

  await shop.advance(61_000)
  assertViolations(await signedBy(former), wrong)
  assertViolations(await signedBy(current), [])
})

test('a follow-up is signed with the data of the payment it names', async () => {
  const sale = await shop.sale({ payer_email: 'ann@example.com', card_number: '5555555555554444' }, { merchant })
  const own = { email: 'ann@example.com', pan10: '5555554444' }
  for (const action of ['GET_TRANS_STATUS', 'GET_TRANS_DETAILS', 'CREDITVOID']) {
    assertViolations(await shop.followUp(action, sale.body.trans_id, {}, { merchant }), wrong)
    assertViolations(await shop.followUp(action, sale.body.trans_id, {}, { merchant, signedBy: own }), [])
  }
})

test('trans_id is case-insensitive, also in the signature', async () => {
  const { body } = await shop.sale({}, { merchant })
  const answer = await shop.followUp('GET_TRANS_STATUS', body.trans_id.toUpperCase(), {}, { merchant })
  assert.equal(answer.body.trans_id, body.trans_id)
})
