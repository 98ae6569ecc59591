// Vectors and examples of Chapter 30 §2.3 and §12.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { checkoutFormulas, type Digest, signCheckout, type Values, verifiesCheckout } from './signature.ts'

const password = 'testpass123'
const paymentId = 'dc66cdd8-d702-11ea-9a2f-0242c0a87002'
const keys = (digest: Digest) => ({ passwords: [password], digest })

type Order = readonly [number: string, amount: string, currency: string, description: string]
const gift: Order = ['order-1234', '0.19', 'USD', 'Important gift']
const coffee: Order = ['order-1', '1.00', 'EUR', 'café']

const session = ([number, amount, currency, description]: Order): Values => ({
  'order.number': number,
  'order.amount': amount,
  'order.currency': currency,
  'order.description': description,
})
const report = (id: string, [number, amount, currency, description]: Order): Values => ({
  id,
  payment_id: id,
  order_number: number,
  order_amount: amount,
  order_currency: currency,
  order_description: description,
})
const credit = ([order_id, order_amount, order_currency, order_description]: Order): Values => ({
  order_id,
  order_amount,
  order_currency,
  order_description,
})
const recurring = (init: string, token: string, order: Order): Values => ({
  ...session(order),
  recurring_init_trans_id: init,
  recurring_token: token,
})

const f = checkoutFormulas
// biome-ignore format: a table is read in columns.
const vectors: readonly (readonly [title: string, readonly string[], Values, md5: string, sha256: string])[] = [
  ['session',                        f.session,       session(gift),                                   '4290b33e5bab22d6d20c39263f50e9094f2c3d09', 'd507faed99cb4bce6f919afc9fcc6590ddb27e03'],
  ['status, void, retry',            f.payment,       { payment_id: paymentId },                       'c0d83b77ecdaf2d4f0ed4f17ee3882d6721df18d', 'd1be611b894438ed2da1656e92a1bb80e632ef31'],
  ['status by order',                f.order,         { order_id: 'order-1234' },                      'a3a4619c8a866840ae6a14584924a92c206a4757', 'f5f8a51cf47778b9cc105577a5e79961cd76efa8'],
  ['refund or capture',              f.paymentAmount, { payment_id: paymentId, amount: '0.10' },       'bc0068e34baada59ff213faa2d0728f3c171be81', 'c74e36b1b6690f20cae8bc6adb7995b453a6b540'],
  ['recurring',                      f.recurring,     recurring(paymentId, '9a2f-0242c0a87002', gift), '12e95b97443481d9f42d38d5894eef523808ae35', '7314b7a57c8db475c02af452d5643c99cc924b9e'],
  ['card credit',                    f.cardCredit,    credit(['payout-77', '25.00', 'EUR', 'Winnings']), 'bb333e26521dcb04549b1e14294b3d238e0ea58a', 'ffdeeb882dbad593f63ff3d5f6e61a3a3159bc4d'],
  ['callback',                       f.callback,      report(paymentId, gift),                         '25e1e0bcc8b1c626b01fe069d2c256b61127bd60', '4b815c237faa28f7a91ff9d83e51e91fa0c0c030'],
  ['return',                         f.return,        report(paymentId, gift),                         '25e1e0bcc8b1c626b01fe069d2c256b61127bd60', '4b815c237faa28f7a91ff9d83e51e91fa0c0c030'],
  ['session, non-ASCII description', f.session,       session(coffee),                                 '9df0b2e4cecce9834a0ca4cb939e7f42ddf54411', '6edef243646233ff5bee3d702f1a1fe30182207c'],
  ['callback, non-ASCII',            f.callback,      report(paymentId, coffee),                       '1f8d79c981e6eb0d056457a086e364d21b044aa8', '33b91bd0305898f957cf1f7e1b728a2c0b3eba83'],
]

for (const [title, names, values, md5, sha256] of vectors) {
  test(`vector: ${title}`, () => {
    assert.equal(signCheckout(names, values, { password, digest: 'md5' }), md5)
    assert.equal(signCheckout(names, values, { password, digest: 'sha256' }), sha256)
    assert.ok(verifiesCheckout(md5, names, values, keys('md5')))
    assert.ok(verifiesCheckout(sha256.toUpperCase(), names, values, keys('sha256')))
    assert.ok(!verifiesCheckout(sha256, names, values, keys('md5')))
  })
}

test('the outer digest is taken over the hexadecimal text of the inner one', () => {
  const inner = '296e702dfb1235daf02b0063cd25a075'
  assert.equal(
    createHash('sha1').update(inner).digest('hex'),
    signCheckout(f.session, session(gift), { password, digest: 'md5' }),
  )
})

test('a request may be upper-cased by the rules of Unicode', () => {
  assert.ok(verifiesCheckout('5fd2068d47028b026cc9902b1e9fd656b6608447', f.session, session(coffee), keys('md5')))
  assert.ok(verifiesCheckout('5ec9beb324d497979064005e1902198a6a8e64d9', f.session, session(coffee), keys('sha256')))
})

test('our own output may be upper-cased by the rules of Unicode, for clients that verify it so', () => {
  const key = { password, digest: 'md5' } as const
  assert.equal(signCheckout(f.session, session(coffee), key, 'unicode'), '5fd2068d47028b026cc9902b1e9fd656b6608447')
  assert.equal(signCheckout(f.session, session(coffee), key), '9df0b2e4cecce9834a0ca4cb939e7f42ddf54411')
})

test('Unicode upper-casing is complete: one letter may become two', () => {
  const text = 'ORDER-11.00EURSTRASSETESTPASS123'
  const inner = createHash('md5').update(text).digest('hex')
  const hash = createHash('sha1').update(inner).digest('hex')
  assert.ok(verifiesCheckout(hash, f.session, session(['order-1', '1.00', 'EUR', 'Straße']), keys('md5')))
})

test('the amount counts as it was written', () => {
  const hash = signCheckout(f.paymentAmount, { payment_id: paymentId, amount: '0.10' }, { password, digest: 'md5' })
  assert.ok(!verifiesCheckout(hash, f.paymentAmount, { payment_id: paymentId, amount: '0.1' }, keys('md5')))
})

test('an amount that was not sent is left out', () => {
  const open: Values = { ...session(gift), 'order.amount': undefined }
  const hash = createHash('sha1')
    .update(createHash('md5').update('ORDER-1234USDIMPORTANT GIFTTESTPASS123').digest('hex'))
    .digest('hex')
  assert.equal(signCheckout(f.session, open, { password, digest: 'md5' }), hash)
})

// biome-ignore format: a table is read in columns.
const examples: readonly (readonly [section: string, readonly string[], Values, hash: string])[] = [
  ['12.2 session',      f.session,       session(['order-2001', '49.90', 'EUR', 'Running shoes']),                                        'c60003d74e192041bb8a2da8b06fb84a398cfa6b'],
  ['12.2 callback',     f.callback,      report('7c1a52d0-6e0b-11f1-9a4c-0242ac120003', ['order-2001', '49.90', 'EUR', 'Running shoes']), 'dcce4c0b9df15007170e1d8818c5904dffa96f30'],
  ['12.3 session',      f.session,       session(['order-3001', '100.00', 'EUR', 'Hotel booking']),                                       'b17fbbe902c6299e49932443260690b2e42290bf'],
  ['12.3 callback',     f.callback,      report('8f0e1b44-6e0b-11f1-b1d2-0242ac120003', ['order-3001', '100.00', 'EUR', 'Hotel booking']), '14ee01323fa1cb40e2f8c388d87c4f45e0a8fe55'],
  ['12.3 capture',      f.paymentAmount, { payment_id: '8f0e1b44-6e0b-11f1-b1d2-0242ac120003', amount: '80.00' },                         'c37423fe75515698c6e5e4596064fbc53cc66a2b'],
  ['12.4 refund',       f.paymentAmount, { payment_id: '7c1a52d0-6e0b-11f1-9a4c-0242ac120003', amount: '10.00' },                         'aabe659ee19951147fc6ef5328940ace2da40f89'],
  ['12.5 session',      f.session,       session(['order-5001', '0.00', 'USD', 'Premium plan']),                                          '0f5fe43fda9ff098729734cc72f58e2cb51b3b0c'],
  ['12.5 callback',     f.callback,      report('a1c9d3e6-6e0b-11f1-8c55-0242ac120003', ['order-5001', '0.00', 'USD', 'Premium plan']),   '0c0d41c528e61a30cc1f56d7bc523e5e89cb17b8'],
  ['12.5 recurring',    f.recurring,     recurring('a1c9d3e6-6e0b-11f1-8c55-0242ac120003', 'b2d0e4f7-6e0b-11f1-9d66-0242ac120003', ['order-5002', '4.50', 'USD', 'Extra storage']), 'c3bafa8fc3f743ae704c2f0c75b0c0374244f074'],
  ['12.5 its callback', f.callback,      report('c3e1f508-6e0b-11f1-ae77-0242ac120003', ['order-5002', '4.50', 'USD', 'Extra storage']),  '2cf0525ec9663c70e197e52d987df165dda12934'],
  ['12.6 session',      f.session,       session(['order-6001', '20.00', 'EUR', 'Top up']),                                               '6ca841384eb174bbe1a4102510dd9224d28cd9f3'],
  ['12.6 callback',     f.callback,      report('d4f20619-6e0b-11f1-bf88-0242ac120003', ['order-6001', '20.00', 'EUR', 'Top up']),        '66330ba7a32c0a4859052417a0cdb986cdf55283'],
  ['12.7 callback',     f.callback,      report('e503172a-6e0b-11f1-8099-0242ac120003', ['payout-77', '25.00', 'EUR', 'Winnings']),       '5336100a4014dfd535218b211e5edb9d79942027'],
  ['12.7 session',      f.session,       session(['payout-78', '25.00', 'EUR', 'Winnings']),                                              '76ed3283f68e545bc3630ae4aab18f5df780b04d'],
  ['12.8 token',        f.session,       session(['order-8001', '12.00', 'EUR', 'Concert ticket']),                                       '38892e6e7568ba4d2fe39a0e752f2a6ebcffd2c4'],
  ['12.8 return',       f.return,        report('f614283b-6e0b-11f1-91aa-0242ac120003', ['order-8001', '15.00', 'EUR', 'Concert ticket']), 'a5a199148dc74d0c8484e916ea54622619d58232'],
  ['12.9 session',      f.session,       session(['order-9001', '30.00', 'USD', 'Gift card']),                                            '452b9c5749dc0771aa03e12f49004893e723cb95'],
  ['12.9 callback',     f.callback,      report('0725394c-6e0c-11f1-a2bb-0242ac120003', ['order-9001', '30.00', 'USD', 'Gift card']),     'bfa7c8f2dac9c12c016c8b9c800ec918421942cd'],
]

for (const [section, names, values, hash] of examples) {
  test(`the hash of example ${section}`, () => {
    assert.equal(signCheckout(names, values, { password, digest: 'md5' }), hash)
  })
}
