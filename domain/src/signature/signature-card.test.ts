// Vectors and examples of Chapter 10 §4.4, §11.3 and §13.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pan10 } from '../card.ts'
import { cardFormulas, type Formula, sign, signedBytes, type Values, verifies } from './signature.ts'

const password = '13a4822c5907ed235f3a068c76184fc3'

const known: Values = {
  email: 'doe@example.com',
  pan10: pan10('4111111111111111'),
  trans_id: 'aaaff66a-904f-11ea-833e-0242ac1f0007',
  order_id: 'ORDER-12345',
  schedule_id: '57fddecf-17b9-4d38-9320-a670f0c29ec0',
  card_token: 'f5d6a0ab6fcfb6487a39e8256e50fff3c95aaa97a8dd5d2e3d7e2d1d0c5b1a2f',
}
const noEmail: Values = { ...known, email: undefined }
const noCard: Values = { ...known, pan10: undefined }
const walletCard: Values = { ...known, pan10: pan10('4895370012003478') }
const nonAscii: Values = { ...known, email: 'zoë@exämple.com' }

// One character of the text stands for one byte.
// biome-ignore format: a table is read in columns.
const vectors: readonly (readonly [title: string, Formula, Values, text: string, md5: string, sha256: string])[] = [
  ['Formula 1', cardFormulas.start, known,
    'MOC.ELPMAXE@EOD13A4822C5907ED235F3A068C76184FC31111111114',
    '2702ae0c4f99506dc29b5615ba9ee3c0', '847930a9b324122b35aff02a96c2f3bdbbbbc3e716e26e43a24ed1d66a1f3bef'],
  ['Formula 1 with token', cardFormulas.startWithToken, known,
    'MOC.ELPMAXE@EOD13A4822C5907ED235F3A068C76184FC3F2A1B5C0D1D2E7D3E2D5DD8A79AAA59C3FFF05E6528E93A7846BFCF6BA0A6D5F',
    '387aba64a83faa6a3a9b9665ff1d1def', '6e1b7242d54fd7473b9ccb982764b02dba40bd7c7b46e3790b546cdc5885e699'],
  ['Formula 2', cardFormulas.followUp, known,
    'MOC.ELPMAXE@EOD13A4822C5907ED235F3A068C76184FC3AAAFF66A-904F-11EA-833E-0242AC1F00071111111114',
    'fc359ea0b4830271f611c30135761c85', 'c0a11a1cafe87b57eb84f8cad8f510268e01c2ea8b256f92a63561de48a8b8ed'],
  ['Formula 3', cardFormulas.createSchedule, known,
    '3CF48167C860A3F532DE7095C2284A31',
    'a502bf68507916a7668595571964473e', '0ec25262cc00729d205db7d3cba1e1cfbae4130f3d0380992af7b171df6b074c'],
  ['Formula 4', cardFormulas.schedule, known,
    '3CF48167C860A3F532DE7095C2284A310CE92C0F076A-0239-83D4-9B71-FCEDDF75',
    '4986c09f6e19e2906e200595922399ca', '773dcbd3c9b5d68a196536736fcfcc41cf87b4b4252ee90d6a08888e0dd4e532'],
  ['Formula 5', cardFormulas.credit, known,
    '13A4822C5907ED235F3A068C76184FC31111111114',
    '4758c701fc1157f4c7f8c22e46b77a9e', '40537d66c0c6806a8e9f11987b291dd5ea6284622c8dc3c8e435b96dbfe7b34d'],
  ['Formula 5 with token', cardFormulas.creditWithToken, known,
    '13A4822C5907ED235F3A068C76184FC3F2A1B5C0D1D2E7D3E2D5DD8A79AAA59C3FFF05E6528E93A7846BFCF6BA0A6D5F',
    '473b9e43caf63d8cd86844b840a01bd5', 'e29773573ee6a526782d17ccf5a4af607522af8382b96095556efa2d6cf80fa3'],
  ['Formula 6', cardFormulas.creditFollowUp, known,
    '13A4822C5907ED235F3A068C76184FC3AAAFF66A-904F-11EA-833E-0242AC1F00071111111114',
    '77b7d132504aac4d069e60f0c77cd832', 'c8cc82a99ad376200762b49d4627b0eadc0b36a3ee1aa01aa5bd7950a80d8c10'],
  ['Formula 7', cardFormulas.byOrder, known,
    'MOC.ELPMAXE@EOD13A4822C5907ED235F3A068C76184FC3ORDER-123451111111114',
    '921d3dc83ae6554a42cef935effec958', 'ff9b74fce3e5ebd062d9ec43d62157297597cc04e27370f57420ca4626af120c'],
  ['Formula 8', cardFormulas.wallet, known,
    'MOC.ELPMAXE@EOD13A4822C5907ED235F3A068C76184FC3',
    'e2dbee6ed22ec2cb33b22a9d2a700682', '4ec39d4886e2cb489f5bbf9d92474f8039ce23cdea3ff0eb082d41cea9352300'],
  ['Formula 1, no email (DEBIT)', cardFormulas.start, noEmail,
    '13A4822C5907ED235F3A068C76184FC31111111114',
    '4758c701fc1157f4c7f8c22e46b77a9e', '40537d66c0c6806a8e9f11987b291dd5ea6284622c8dc3c8e435b96dbfe7b34d'],
  ['Formula 7, CREDIT2CARD', cardFormulas.byOrder, noEmail,
    '13A4822C5907ED235F3A068C76184FC3ORDER-123451111111114',
    '5b7cdb4e5d216fa24e6c765634b4c360', '2b8cdadfe6ed898cd1e108b9e076e531da1551d14e50cb099b6e664053f5b05d'],
  ['Formula 2, wallet in virtual flow', cardFormulas.followUp, noCard,
    'MOC.ELPMAXE@EOD13A4822C5907ED235F3A068C76184FC3AAAFF66A-904F-11EA-833E-0242AC1F0007',
    '6f94f9bccd2d4e3f26774a349189d00e', '15892d1ae0f49aaa073d90eed56a4627eb68ee7105616bb01804ecf0d283f5ca'],
  ['Formula 2, wallet in card flow', cardFormulas.followUp, walletCard,
    'MOC.ELPMAXE@EOD13A4822C5907ED235F3A068C76184FC3AAAFF66A-904F-11EA-833E-0242AC1F00078743735984',
    '5c42db3e514fe8c49347eecddbf0b317', '529432c6281a190093a567d7e96dee46bf8674269044f5d864f5a2c12fe35175'],
  ['Formula 1, non-ASCII email', cardFormulas.start, nonAscii,
    'MOC.ELPM\xA4\xC3XE@\xAB\xC3OZ13A4822C5907ED235F3A068C76184FC31111111114',
    'e48b03a2f285e010dcbbb92adc7c9f2f', 'fec1cf919bd5235425d2f585683d4cca7a254c64397fb3c05fc1c1cb50886a9c'],
  ['Formula 2, non-ASCII email', cardFormulas.followUp, nonAscii,
    'MOC.ELPM\xA4\xC3XE@\xAB\xC3OZ13A4822C5907ED235F3A068C76184FC3AAAFF66A-904F-11EA-833E-0242AC1F00071111111114',
    'f272f8942916f56e376a43fb41ec3539', '8406f1663569bb96d3c24c0d45a0dc7dcd0a91ee21ffaa76698c293029982542'],
  ['Formula 8, non-ASCII email', cardFormulas.wallet, nonAscii,
    'MOC.ELPM\xA4\xC3XE@\xAB\xC3OZ13A4822C5907ED235F3A068C76184FC3',
    '94760cc6387eecf177cac67667e197d7', '543f30023e4ce9ad5c1ab81a1aa86ccf5270b926188c200319cf8c69a6ea7935'],
  ['Return', cardFormulas.return, known,
    'MOC.ELPMAXE@EOD13A4822C5907ED235F3A068C76184FC3AAAFF66A-904F-11EA-833E-0242AC1F0007ORDER-123451111111114',
    '209adb43e528c25aa7a4273df6bc405d', 'd7e6293029bb7b9d51dc19cb4d8930aaf71d130ee5d1f430b452030fb468a6bb'],
]

for (const [index, [title, formula, values, text, md5, sha256]] of vectors.entries()) {
  test(`vector ${index + 1}, ${title}`, () => {
    assert.equal(signedBytes(formula, values, password).toString('latin1'), text)
    assert.equal(sign(formula, values, { password, digest: 'md5' }), md5)
    assert.equal(sign(formula, values, { password, digest: 'sha256' }), sha256)
  })
}

test('an email reversed by letters instead of bytes is rejected', () => {
  const hashOfReversedCharacters = '8e0a7b0278545d3792ae0aacbc2abd01'
  assert.ok(!verifies(hashOfReversedCharacters, cardFormulas.start, nonAscii, { passwords: [password], digest: 'md5' }))
})

test('the case of trans_id does not matter', () => {
  const shouted = { ...known, trans_id: known.trans_id?.toUpperCase() }
  const key = { password, digest: 'md5' } as const
  assert.equal(sign(cardFormulas.followUp, shouted, key), sign(cardFormulas.followUp, known, key))
})

test('a wallet payment is not signed with a card term', () => {
  const keys = { passwords: [password], digest: 'md5' } as const
  assert.ok(verifies('e2dbee6ed22ec2cb33b22a9d2a700682', cardFormulas.wallet, known, keys))
  assert.ok(!verifies('2702ae0c4f99506dc29b5615ba9ee3c0', cardFormulas.wallet, known, keys))
})

test('the hash the payer sees on the return signs no follow-up', () => {
  const seen = sign(cardFormulas.return, known, { password, digest: 'md5' })
  assert.ok(!verifies(seen, cardFormulas.followUp, known, { passwords: [password], digest: 'md5' }))
})

// biome-ignore format: a table is read in columns.
const examples: readonly (readonly [section: string, Formula, Values, hash: string])[] = [
  ['11.3 callback',           cardFormulas.followUp,       known,                                                                      'fc359ea0b4830271f611c30135761c85'],
  ['13.1 SALE',               cardFormulas.start,          known,                                                                      '2702ae0c4f99506dc29b5615ba9ee3c0'],
  ['13.1 callback',           cardFormulas.followUp,       { ...known, trans_id: 'b1f0c1de-0a51-4c55-8a3e-1d2f3a4b5c01' },             'c17af1d32041ef8117dbc159aaba0979'],
  ['13.2 callbacks',          cardFormulas.followUp,       { ...known, trans_id: '0d5e7a44-93c2-4f6b-b0a7-6c1e2f8d9a02' },             '01e487875fa55c3fa95657ec8e01e938'],
  ['13.2 return',             cardFormulas.return,         { ...known, trans_id: '0d5e7a44-93c2-4f6b-b0a7-6c1e2f8d9a02', order_id: 'ORDER-1002' }, '57b6658091af49acd35659103407fbef'],
  ['13.3 wallet SALE',        cardFormulas.wallet,         known,                                                                      'e2dbee6ed22ec2cb33b22a9d2a700682'],
  ['13.3 wallet callback',    cardFormulas.followUp,       { ...walletCard, trans_id: 'e47c9b10-2f3d-4d8e-9c51-7a6b5c4d3e03' },        '264701b502a73330c3ce01af514ce0d0'],
  ['13.4 CAPTURE',            cardFormulas.followUp,       { ...known, trans_id: '3a9d8c7b-6e5f-4a1b-8c2d-0f1e2d3c4b04' },             'd85f1a0f40d4068475b528f8a34aa18a'],
  ['13.5 CREDITVOID',         cardFormulas.followUp,       { ...known, trans_id: 'b1f0c1de-0a51-4c55-8a3e-1d2f3a4b5c01' },             'c17af1d32041ef8117dbc159aaba0979'],
  ['13.6 RECURRING_SALE',     cardFormulas.start,          known,                                                                      '2702ae0c4f99506dc29b5615ba9ee3c0'],
  ['13.6 recurring callback', cardFormulas.followUp,       { ...known, trans_id: '5b6a7988-1726-4354-a3b2-c1d0e9f8a707' },             'e212e2a789e286d4599bcb92a63770ba'],
  ['13.7 CREATE_SCHEDULE',    cardFormulas.createSchedule, {},                                                                         'a502bf68507916a7668595571964473e'],
  ['13.7 plan callback',      cardFormulas.followUp,       { ...known, trans_id: '9182a3b4-c5d6-4e7f-8091-a2b3c4d5e609' },             'e4a55d976f3902c870c04b0ee36c2d74'],
  ['13.7 SCHEDULE_INFO',      cardFormulas.schedule,       known,                                                                      '4986c09f6e19e2906e200595922399ca'],
]

for (const [section, formula, values, hash] of examples) {
  test(`the hash of example ${section}`, () => {
    assert.equal(sign(formula, values, { password, digest: 'md5' }), hash)
  })
}
