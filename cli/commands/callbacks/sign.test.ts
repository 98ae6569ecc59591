// Vectors of Chapter 10 §4.4, Chapter 20 §4.3 and §4.4, Chapter 30 §2.3.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { formulas } from '#domain/signature/formula-table.ts'
import { openTestInstance, runGatehouse, type TestInstance } from '../../test/gatehouse.ts'

let instance: TestInstance
before(async () => {
  instance = await openTestInstance()
})
after(() => instance[Symbol.asyncDispose]())

const password = '13a4822c5907ed235f3a068c76184fc3'
const checkoutPassword = 'testpass123'
const email = 'email=doe@example.com'
const card = 'card_number=4111111111111111'
const transId = 'trans_id=aaaff66a-904f-11ea-833e-0242ac1f0007'
const orderId = 'order_id=ORDER-12345'
const apmOrder = ['order_id=ORDER12345', 'order_amount=1.99', 'order_currency=USD']
const token = 'card_token=f5d6a0ab6fcfb6487a39e8256e50fff3c95aaa97a8dd5d2e3d7e2d1d0c5b1a2f'
const paymentId = 'dc66cdd8-d702-11ea-9a2f-0242c0a87002'
const session = [
  'order.number=order-1234',
  'order.amount=0.19',
  'order.currency=USD',
  'order.description=Important gift',
]
const report = [
  'order_number=order-1234',
  'order_amount=0.19',
  'order_currency=USD',
  'order_description=Important gift',
]

type Vector = readonly [formula: string, values: readonly string[], md5: string, sha256: string]

// biome-ignore format: a table is read in columns.
const cardVectors: readonly Vector[] = [
  ['card.start',             [email, card],                        '2702ae0c4f99506dc29b5615ba9ee3c0', '847930a9b324122b35aff02a96c2f3bdbbbbc3e716e26e43a24ed1d66a1f3bef'],
  ['card.start-with-token',  [email, token],                       '387aba64a83faa6a3a9b9665ff1d1def', '6e1b7242d54fd7473b9ccb982764b02dba40bd7c7b46e3790b546cdc5885e699'],
  ['card.follow-up',         [email, transId, card],               'fc359ea0b4830271f611c30135761c85', 'c0a11a1cafe87b57eb84f8cad8f510268e01c2ea8b256f92a63561de48a8b8ed'],
  ['card.create-schedule',   [],                                   'a502bf68507916a7668595571964473e', '0ec25262cc00729d205db7d3cba1e1cfbae4130f3d0380992af7b171df6b074c'],
  ['card.schedule',          ['schedule_id=57fddecf-17b9-4d38-9320-a670f0c29ec0'], '4986c09f6e19e2906e200595922399ca', '773dcbd3c9b5d68a196536736fcfcc41cf87b4b4252ee90d6a08888e0dd4e532'],
  ['card.credit',            [card],                               '4758c701fc1157f4c7f8c22e46b77a9e', '40537d66c0c6806a8e9f11987b291dd5ea6284622c8dc3c8e435b96dbfe7b34d'],
  ['card.credit-with-token', [token],                              '473b9e43caf63d8cd86844b840a01bd5', 'e29773573ee6a526782d17ccf5a4af607522af8382b96095556efa2d6cf80fa3'],
  ['card.credit-follow-up',  [transId, card],                      '77b7d132504aac4d069e60f0c77cd832', 'c8cc82a99ad376200762b49d4627b0eadc0b36a3ee1aa01aa5bd7950a80d8c10'],
  ['card.by-order',          [email, orderId, card],               '921d3dc83ae6554a42cef935effec958', 'ff9b74fce3e5ebd062d9ec43d62157297597cc04e27370f57420ca4626af120c'],
  ['card.wallet',            [email],                              'e2dbee6ed22ec2cb33b22a9d2a700682', '4ec39d4886e2cb489f5bbf9d92474f8039ce23cdea3ff0eb082d41cea9352300'],
  ['card.start',             [card],                               '4758c701fc1157f4c7f8c22e46b77a9e', '40537d66c0c6806a8e9f11987b291dd5ea6284622c8dc3c8e435b96dbfe7b34d'],
  ['card.by-order',          [orderId, card],                      '5b7cdb4e5d216fa24e6c765634b4c360', '2b8cdadfe6ed898cd1e108b9e076e531da1551d14e50cb099b6e664053f5b05d'],
  ['card.follow-up',         [email, transId],                     '6f94f9bccd2d4e3f26774a349189d00e', '15892d1ae0f49aaa073d90eed56a4627eb68ee7105616bb01804ecf0d283f5ca'],
  ['card.follow-up',         [email, transId, 'card_number=4895370012003478'], '5c42db3e514fe8c49347eecddbf0b317', '529432c6281a190093a567d7e96dee46bf8674269044f5d864f5a2c12fe35175'],
  ['card.start',             ['email=zoë@exämple.com', card],      'e48b03a2f285e010dcbbb92adc7c9f2f', 'fec1cf919bd5235425d2f585683d4cca7a254c64397fb3c05fc1c1cb50886a9c'],
  ['card.follow-up',         ['email=zoë@exämple.com', transId, card], 'f272f8942916f56e376a43fb41ec3539', '8406f1663569bb96d3c24c0d45a0dc7dcd0a91ee21ffaa76698c293029982542'],
  ['card.wallet',            ['email=zoë@exämple.com'],            '94760cc6387eecf177cac67667e197d7', '543f30023e4ce9ad5c1ab81a1aa86ccf5270b926188c200319cf8c69a6ea7935'],
  ['card.return',            [email, transId, orderId, card],      '209adb43e528c25aa7a4273df6bc405d', 'd7e6293029bb7b9d51dc19cb4d8930aaf71d130ee5d1f430b452030fb468a6bb'],
]

const sale = [
  'action=SALE',
  'result=SUCCESS',
  'status=SETTLED',
  'order_id=ORDER12345',
  transId,
  'trans_date=2026-02-03 10:00:00',
  'descriptor=test',
  'amount=1.99',
  'currency=USD',
]
const custom = ['custom_data[b]=two', 'custom_data[a][10]=x', 'custom_data[a][9]=y', 'custom_data[B]=Zürich']

// The chapter states sha256 only for some of them.
// biome-ignore format: a table is read in columns.
const apmVectors: readonly (readonly [formula: string, values: readonly string[], md5: string, sha256?: string])[] = [
  ['apm.start',           ['identifier=success@example.com', ...apmOrder], '81b209d58b5ce56e536e54bf5f7e1571', '5ded4520451b93b514f246ead7167bfd7d7d82bd0747642e83d4f671098d7f7b'],
  ['apm.start',           apmOrder,                                        '6f076479b58d15902bf66a31afdf8ab3'],
  ['apm.start',           ['order_id=ORDER12345', 'order_currency=BTC'],   '6fcc3536242d29c6c8d358f15e1b6899'],
  ['apm.start',           ['identifier=jürgen@example.com', 'order_id=Bestellung-7', 'order_amount=10.00', 'order_currency=EUR'], '76efad5cd7d87aa57c52c7604db16db7'],
  ['apm.credit-void',     [transId],                                       '4d53555bfcf87c688194040334da5e05', 'bc268e1b4604ca3d68eadafd4f1c69fff87dd62d08ba975e300f1c4783b90c53'],
  ['apm.follow-up',       [transId],                                       '3b075d467020699ef0594595b8b2d2a7', '3eb44405e119adeac03a576b4ae7f4f1286f2d5c9c6c31d446bf110b1258aca7'],
  ['apm.payout',          apmOrder,                                        'e3ecc4b9404509b05ab7a19c0ba98026', '0cf387e1496f495170634a9fec4ba42d76cd17c83580ab0773edb5b786ef6862'],
  ['apm.by-order',        ['order_id=ORDER12345'],                         '7563a663b2042e7d57548358bb4c2653'],
  ['apm.payout-callback', [transId, 'order_id=ORDER12345', 'status=SETTLED'], 'f1db81798647a51f5bfa37f292963b00', '8c85432262fabc4017f4759ed62d485a860855a0ce09abdc0546a3d31305a2e5'],
  ['apm.crypto-callback', ['payer_email=doe@example.com', transId],        '6f94f9bccd2d4e3f26774a349189d00e'],
  ['apm.crypto-callback', [transId],                                       '991b5e366b2ad55a7083117c6b2a9ef2'],
  ['apm.callback',        sale,                                            '538e5a831c4c3cd2d2912c424afe1320', '1a191b052fba04f5bb016b51bcfbcd6d5e86106fd79418dfbf08033fc565a729'],
  ['apm.callback',        [...sale, ...custom],                            'f4662ac6c333bfbc749eb26d4ccd38f9', 'e8071534b1aac94485e90cbf531652e5a95406a246828cf25145aae56a6ae87e'],
  ['apm.callback',        ['order_id=ORDER12345', transId],                '0eecd51f40c1604a4f14d409167f4d42', '11a68c89bb99e7dcfaa14e07ad4c6327541e1e972ba99cd0c0c7544108149a57'],
]

// biome-ignore format: a table is read in columns.
const checkoutVectors: readonly Vector[] = [
  ['checkout.session',        session,                                       '4290b33e5bab22d6d20c39263f50e9094f2c3d09', 'd507faed99cb4bce6f919afc9fcc6590ddb27e03'],
  ['checkout.payment',        [`payment_id=${paymentId}`],                   'c0d83b77ecdaf2d4f0ed4f17ee3882d6721df18d', 'd1be611b894438ed2da1656e92a1bb80e632ef31'],
  ['checkout.order',          ['order_id=order-1234'],                       'a3a4619c8a866840ae6a14584924a92c206a4757', 'f5f8a51cf47778b9cc105577a5e79961cd76efa8'],
  ['checkout.payment-amount', [`payment_id=${paymentId}`, 'amount=0.10'],    'bc0068e34baada59ff213faa2d0728f3c171be81', 'c74e36b1b6690f20cae8bc6adb7995b453a6b540'],
  ['checkout.recurring',      [`recurring_init_trans_id=${paymentId}`, 'recurring_token=9a2f-0242c0a87002', 'order.number=order-1234', 'order.amount=0.19', 'order.description=Important gift'], '12e95b97443481d9f42d38d5894eef523808ae35', '7314b7a57c8db475c02af452d5643c99cc924b9e'],
  ['checkout.card-credit',    ['order_id=payout-77', 'order_amount=25.00', 'order_currency=EUR', 'order_description=Winnings'], 'bb333e26521dcb04549b1e14294b3d238e0ea58a', 'ffdeeb882dbad593f63ff3d5f6e61a3a3159bc4d'],
  ['checkout.callback',       [`id=${paymentId}`, ...report],                '25e1e0bcc8b1c626b01fe069d2c256b61127bd60', '4b815c237faa28f7a91ff9d83e51e91fa0c0c030'],
  ['checkout.return',         [`payment_id=${paymentId}`, ...report],        '25e1e0bcc8b1c626b01fe069d2c256b61127bd60', '4b815c237faa28f7a91ff9d83e51e91fa0c0c030'],
  ['checkout.session',        ['order.number=order-1', 'order.amount=1.00', 'order.currency=EUR', 'order.description=café'], '9df0b2e4cecce9834a0ca4cb939e7f42ddf54411', '6edef243646233ff5bee3d702f1a1fe30182207c'],
]

const returned = [
  'trans_id=aaaff66a-904f-11ea-833e-0242ac1f0007',
  'order_id=ORDER-12345',
  'order_amount=10.00',
  'order_currency=EUR',
]

// biome-ignore format: a table is read in columns.
const otherVectors: readonly Vector[] = [
  ['return',         [...returned, 'outcome=success'],                 'c00aa4d44437a5c8c053308cef1e3031d601ee960e1590eea967e38ca32914e4', 'c00aa4d44437a5c8c053308cef1e3031d601ee960e1590eea967e38ca32914e4'],
  ['wallet.session', ['domain=shop.example', 'wallet=walletapay'],     '67f316c9d82f696abc25fe580b6e8716db379fb9', 'c58f3d5fe9dd438210ee767a6ba38d20c9d23a2a'],
]

const vectors = [
  ...[...cardVectors, ...apmVectors, ...otherVectors].map((vector) => ({ vector, secret: password })),
  ...checkoutVectors.map((vector) => ({ vector, secret: checkoutPassword })),
]

for (const { vector, secret } of vectors) {
  const [formula, values, md5, sha256] = vector
  test(`${formula} of ${values.join(' ') || 'nothing'} gives the hash of the vector, and verifies`, async () => {
    assert.equal((await runGatehouse(['sign', formula, ...values, '--password', secret])).out, md5)
    const digested = await runGatehouse(['sign', formula, ...values, '--password', secret, '--digest', 'sha256'])
    if (sha256 !== undefined) assert.equal(digested.out, sha256)
    assert.equal(
      (await runGatehouse(['verify', formula, ...values, `hash=${md5.toUpperCase()}`, '--password', secret])).code,
      0,
    )
    assert.equal(
      (await runGatehouse(['verify', formula, ...values, `hash=${md5}`, '--password', `${secret}x`])).code,
      1,
    )
  })
}

test('every formula is listed and has a vector', async () => {
  const tested = new Set(vectors.map(({ vector: [formula] }) => formula))
  assert.deepEqual(
    formulas.map(({ name }) => name).filter((name) => !tested.has(name)),
    [],
  )
  const { out } = await runGatehouse(['sign', '--list'])
  for (const { name } of formulas) assert.ok(out.includes(name), name)
})

test('a formula is also found by its number in the chapter', async () => {
  for (const name of ['card.1', 'CARD.START', 'card.1 with token', 'apm.s1', 'apm.C1', 'card.followUp']) {
    assert.equal((await runGatehouse(['sign', name, '--password', password])).code, 0, name)
  }
})

test('a card gives the same hash as number, as mask, and as first six with last four digits', async () => {
  for (const cardPair of ['card_number=4111111111111111', 'card=411111******1111', 'pan10=4111111111']) {
    assert.equal(
      (await runGatehouse(['sign', 'card.start', email, cardPair, '--password', password])).out,
      '2702ae0c4f99506dc29b5615ba9ee3c0',
    )
  }
  assert.equal((await runGatehouse(['sign', 'card.start', email, 'card=1111', '--password', password])).code, 2)
})

// biome-ignore format: a table is read in columns.
const texts: readonly (readonly [formula: string, values: readonly string[], text: string])[] = [
  ['card.follow-up',   [email, transId, card],                    `MOC.ELPMAXE@EOD${'*'.repeat(32)}AAAFF66A-904F-11EA-833E-0242AC1F00071111111114`],
  ['card.wallet',      ['email=zoë@exämple.com'],                 `MOC.ELPM\\xA4\\xC3XE@\\xAB\\xC3OZ${'*'.repeat(32)}`],
  ['apm.follow-up',    [transId],                                 `7000F1CA2420-E338-AE11-F409-A66FFAAA${'*'.repeat(32)}`],
  ['apm.callback',     ['order_id=ORDER12345', transId],          `54321REDRO7000F1CA2420-E338-AE11-F409-A66FFAAA${'*'.repeat(32)}`],
  ['checkout.session', session,                                   `ORDER-12340.19USDIMPORTANT GIFT${'*'.repeat(32)}`],
]

for (const [formula, values, text] of texts) {
  test(`--explain shows the text of ${formula} with the password hidden`, async () => {
    const { out } = await runGatehouse(['sign', formula, ...values, '--password', password, '--explain'])
    assert.equal(out.split('\n')[0], text)
    assert.ok(!out.toLowerCase().includes(password))
  })
}

test('a value that was left out is reported beside the hash, not in it', async () => {
  const { out, err } = await runGatehouse(['sign', 'card.follow-up', transId, '--password', password])
  assert.match(out, /^[0-9a-f]{32}$/)
  assert.match(err, /no value was given: email, pan10/)
})

test('a value that the formula does not use is refused, and the nearest name is suggested', async () => {
  const { code, err } = await runGatehouse(['sign', 'card.follow-up', 'tran_id=x', '--password', password])
  assert.equal(code, 2)
  assert.match(err, /no value "tran_id"\. Did you mean "trans_id"\?/)
})

test('a password is read from a file', async () => {
  const file = join(instance.folder, 'password')
  await writeFile(file, `${password}\n`)
  assert.equal(
    (await runGatehouse(['sign', 'card.start', email, card, '--password', `@${file}`])).out,
    '2702ae0c4f99506dc29b5615ba9ee3c0',
  )
})

test('signing for a merchant uses its password and the digest of its mapping', async () => {
  const merchant = (await instance.do('merchant', 'create', 'acme', '--title', 'Acme', '--json')).json
  await instance.do('mapping', 'set', 'acme', 'S2S_APM', 'digest=sha256')
  const signed = async (formula: string, ...key: readonly string[]) =>
    (await instance.do('sign', formula, transId, ...key)).out
  assert.equal(
    await signed('card.follow-up', '--merchant', 'acme'),
    await signed('card.follow-up', '--password', merchant.password),
  )
  assert.equal(
    await signed('apm.follow-up', '--merchant', 'acme'),
    await signed('apm.follow-up', '--password', merchant.password, '--digest', 'sha256'),
  )
})

test('a request signed before the rotation verifies during the overlap, and a digest other than the mapping’s is reported', async () => {
  await instance.do('merchant', 'create', 'rotating', '--title', 'Rotating')
  const { out: hash } = await instance.do('sign', 'card.follow-up', transId, '--merchant', 'rotating')
  await instance.do('merchant', 'rotate', 'rotating')
  assert.equal(
    (await instance.run(['verify', 'card.follow-up', transId, `hash=${hash}`, '--merchant', 'rotating'])).code,
    0,
  )
  await instance.do('mapping', 'set', 'rotating', 'S2S_CARD', 'digest=sha256')
  const { code, out } = await instance.run([
    'verify',
    'card.follow-up',
    transId,
    `hash=${hash}`,
    '--merchant',
    'rotating',
  ])
  assert.equal(code, 1)
  assert.match(out, /computed with md5, not with sha256/)
})

test('a request and a callback that were upper-cased by the Unicode rules verify on Checkout', async () => {
  const coffee = ['order.number=order-1', 'order.amount=1.00', 'order.currency=EUR', 'order.description=café']
  const key = ['--password', checkoutPassword]
  assert.equal(
    (
      await runGatehouse([
        'verify',
        'checkout.session',
        ...coffee,
        'hash=5fd2068d47028b026cc9902b1e9fd656b6608447',
        ...key,
      ])
    ).code,
    0,
  )
  const callback = [
    `id=${paymentId}`,
    'order_number=order-1',
    'order_amount=1.00',
    'order_currency=EUR',
    'order_description=café',
  ]
  assert.equal(
    (
      await runGatehouse([
        'verify',
        'checkout.callback',
        ...callback,
        'hash=1f8d79c981e6eb0d056457a086e364d21b044aa8',
        ...key,
      ])
    ).code,
    0,
  )
  const upper = [
    `id=${paymentId}`,
    'order_number=order-1',
    'order_amount=1.00',
    'order_currency=EUR',
    'order_description=CAFÉ',
  ]
  const { out: unicode } = await runGatehouse(['sign', 'checkout.callback', ...upper, ...key])
  assert.equal((await runGatehouse(['verify', 'checkout.callback', ...callback, `hash=${unicode}`, ...key])).code, 0)
})

test('a request is signed as a whole, from the bytes of its file', async () => {
  const file = join(instance.folder, 'update.json')
  await writeFile(file, '{"order_amount":"12.50"}\n')
  const call = ['--method', 'PUT', '--path', '/api/v1/session/update', '--token', 'token', '--idempotency-key', 'key']
  const { out } = await runGatehouse(['sign', 'request', file, ...call, '--id', 'one', '--password', password])
  const [id, timestamp, signature] = out
    .trim()
    .split('\n')
    .map((line) => line.replace(/^webhook-(id|timestamp|signature): /, ''))
  const key = createHmac('sha256', password).update('request').digest()
  const text = `one.${timestamp}.PUT /api/v1/session/update\ntoken\nkey\n{"order_amount":"12.50"}\n`
  assert.deepEqual([id, signature], ['one', `v1,${createHmac('sha256', key).update(text).digest('base64')}`])

  const first = await runGatehouse(['sign', 'request', file, '--password', password])
  const second = await runGatehouse(['sign', 'request', file, '--password', password])
  assert.match(first.out, /^webhook-id: msg_[0-9a-f]{32}$/m)
  assert.notEqual(first.out, second.out)
  assert.equal((await runGatehouse(['sign', 'request', file, '--path', 'post', '--password', password])).code, 2)
})
