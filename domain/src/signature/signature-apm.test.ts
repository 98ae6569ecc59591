// Vectors and the worked example of Chapter 20 §4.3 and §4.4.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  apmFormulas,
  type Digest,
  type Formula,
  sign,
  signedBytes,
  signedTreeBytes,
  signTree,
  type Tree,
  type Values,
} from './signature.ts'

const password = '13a4822c5907ed235f3a068c76184fc3'
const md5Key = { password, digest: 'md5' } as const

const known: Values = {
  trans_id: 'aaaff66a-904f-11ea-833e-0242ac1f0007',
  order_id: 'ORDER12345',
  order_amount: '1.99',
  order_currency: 'USD',
  payer_email: 'doe@example.com',
}
const identified: Values = { ...known, identifier: 'success@example.com' }
const openAmount: Values = { ...known, order_amount: undefined, order_currency: 'BTC' }
const nonAscii: Values = {
  identifier: 'jürgen@example.com',
  order_id: 'Bestellung-7',
  order_amount: '10.00',
  order_currency: 'EUR',
}

const sale = {
  action: 'SALE',
  result: 'SUCCESS',
  status: 'SETTLED',
  order_id: 'ORDER12345',
  trans_id: 'aaaff66a-904f-11ea-833e-0242ac1f0007',
  trans_date: '2026-02-03 10:00:00',
  descriptor: 'test',
  amount: '1.99',
  currency: 'USD',
}
const custom = { b: 'two', a: { 10: 'x', 9: 'y' }, B: 'Zürich' }
const refund = {
  action: 'CREDITVOID',
  result: 'SUCCESS',
  status: 'REFUND',
  order_id: 'ORDER12345',
  trans_id: 'aaaff66a-904f-11ea-833e-0242ac1f0007',
  creditvoid_id: '0d2c5f5e-7a11-4f0c-9a53-2f3b1a77c001',
  creditvoid_date: '2026-02-04 09:30:00',
  amount: '1.99',
}
const capture = { ...sale, action: 'CAPTURE', trans_date: '2026-02-03 11:00:00' }
const debit = {
  ...sale,
  action: 'DEBIT2VIRTUAL',
  amount: '10.00',
  currency: 'EUR',
  commission: '0.55',
  total_amount: '10.55',
}

// One character of the text stands for one byte.
// biome-ignore format: a table is read in columns.
const vectors: readonly (readonly [string, Formula, Values, text: string, md5: string, sha256?: string])[] = [
  ['V1', apmFormulas.start, identified, '3CF48167C860A3F532DE7095C2284A31DSU99.154321REDROMOC.ELPMAXE@SSECCUS',
    '81b209d58b5ce56e536e54bf5f7e1571', '5ded4520451b93b514f246ead7167bfd7d7d82bd0747642e83d4f671098d7f7b'],
  ['V2', apmFormulas.start, known, '3CF48167C860A3F532DE7095C2284A31DSU99.154321REDRO',
    '6f076479b58d15902bf66a31afdf8ab3'],
  ['V3', apmFormulas.start, openAmount, '3CF48167C860A3F532DE7095C2284A31CTB54321REDRO',
    '6fcc3536242d29c6c8d358f15e1b6899'],
  ['V4', apmFormulas.start, nonAscii, '3CF48167C860A3F532DE7095C2284A31RUE00.017-GNULLETSEBMOC.ELPMAXE@NEGR\xBC\xC3J',
    '76efad5cd7d87aa57c52c7604db16db7'],
  ['V5', apmFormulas.creditVoid, known, '3CF48167C860A3F532DE7095C2284A317000F1CA2420-E338-AE11-F409-A66FFAAA',
    '4d53555bfcf87c688194040334da5e05', 'bc268e1b4604ca3d68eadafd4f1c69fff87dd62d08ba975e300f1c4783b90c53'],
  ['V6', apmFormulas.followUp, known, '7000F1CA2420-E338-AE11-F409-A66FFAAA13a4822c5907ed235f3a068c76184fc3',
    '3b075d467020699ef0594595b8b2d2a7', '3eb44405e119adeac03a576b4ae7f4f1286f2d5c9c6c31d446bf110b1258aca7'],
  ['V7', apmFormulas.payout, known, 'DSU99.154321REDRO13a4822c5907ed235f3a068c76184fc3',
    'e3ecc4b9404509b05ab7a19c0ba98026', '0cf387e1496f495170634a9fec4ba42d76cd17c83580ab0773edb5b786ef6862'],
  ['V8', apmFormulas.byOrder, known, '54321REDRO13a4822c5907ed235f3a068c76184fc3',
    '7563a663b2042e7d57548358bb4c2653'],
  ['V9', apmFormulas.payoutCallback, { ...known, status: 'SETTLED' },
    'DELTTES54321REDRO7000F1CA2420-E338-AE11-F409-A66FFAAA13a4822c5907ed235f3a068c76184fc3',
    'f1db81798647a51f5bfa37f292963b00', '8c85432262fabc4017f4759ed62d485a860855a0ce09abdc0546a3d31305a2e5'],
  ['V10', apmFormulas.cryptoCallback, known,
    'MOC.ELPMAXE@EOD13A4822C5907ED235F3A068C76184FC3AAAFF66A-904F-11EA-833E-0242AC1F0007',
    '6f94f9bccd2d4e3f26774a349189d00e'],
  ['V11', apmFormulas.cryptoCallback, { ...known, payer_email: undefined },
    '13A4822C5907ED235F3A068C76184FC3AAAFF66A-904F-11EA-833E-0242AC1F0007',
    '991b5e366b2ad55a7083117c6b2a9ef2'],
]

for (const [name, formula, values, text, md5, sha256] of vectors) {
  test(`vector ${name}`, () => {
    assert.equal(signedBytes(formula, values, password).toString('latin1'), text)
    assert.equal(sign(formula, values, md5Key), md5)
    if (sha256 !== undefined) assert.equal(sign(formula, values, { password, digest: 'sha256' }), sha256)
  })
}

// biome-ignore format: a table is read in columns.
const trees: readonly (readonly [string, Tree, text: string, md5: string, sha256?: string])[] = [
  ['V12', sale, 'ELAS99.1DSUTSET54321REDROSSECCUSDELTTES00:00:01 30-20-62027000F1CA2420-E338-AE11-F409-A66FFAAA13A4822C5907ED235F3A068C76184FC3',
    '538e5a831c4c3cd2d2912c424afe1320', '1a191b052fba04f5bb016b51bcfbcd6d5e86106fd79418dfbf08033fc565a729'],
  ['V13', { ...sale, custom_data: custom }, 'ELAS99.1DSUHCIR\xBC\xC3ZYXOWTTSET54321REDROSSECCUSDELTTES00:00:01 30-20-62027000F1CA2420-E338-AE11-F409-A66FFAAA13A4822C5907ED235F3A068C76184FC3',
    'f4662ac6c333bfbc749eb26d4ccd38f9', 'e8071534b1aac94485e90cbf531652e5a95406a246828cf25145aae56a6ae87e'],
  ['V14', refund, 'DIOVTIDERC99.100:03:90 40-20-6202100C77A1B3F2-35A9-C0F4-11A7-E5F5C2D054321REDROSSECCUSDNUFER7000F1CA2420-E338-AE11-F409-A66FFAAA13A4822C5907ED235F3A068C76184FC3',
    '0a8576cf97f77f5ff2db297e422d5ebd', '52d0073b99b72530cbea28928ff60c752d61e99a81e19608595d361feb10639f'],
  ['V16', capture, 'ERUTPAC99.1DSUTSET54321REDROSSECCUSDELTTES00:00:11 30-20-62027000F1CA2420-E338-AE11-F409-A66FFAAA13A4822C5907ED235F3A068C76184FC3',
    '7d6eab8eddf9beca6cc362a60d03466c'],
  ['V17', debit, 'LAUTRIV2TIBED00.0155.0RUETSET54321REDROSSECCUSDELTTES55.0100:00:01 30-20-62027000F1CA2420-E338-AE11-F409-A66FFAAA13A4822C5907ED235F3A068C76184FC3',
    'bf618cdfe8805d0cff0cd83a3769ef11'],
  ['V18', { order_id: 'ORDER12345', trans_id: sale.trans_id }, '54321REDRO7000F1CA2420-E338-AE11-F409-A66FFAAA13A4822C5907ED235F3A068C76184FC3',
    '0eecd51f40c1604a4f14d409167f4d42', '11a68c89bb99e7dcfaa14e07ad4c6327541e1e972ba99cd0c0c7544108149a57'],
]

for (const [name, tree, text, md5, sha256] of trees) {
  test(`vector ${name}`, () => {
    assert.equal(signedTreeBytes(tree, password).toString('latin1'), text)
    assert.equal(signTree(tree, md5Key), md5)
    if (sha256 !== undefined) assert.equal(signTree(tree, { password, digest: 'sha256' }), sha256)
  })
}

test('vector V15: a refund callback without creditvoid_id does not have the hash of one with it', () => {
  const { creditvoid_id, ...without } = refund
  assert.equal(signTree(without, md5Key), '00674834991e4908fd07b044cd6447d1')
  assert.notEqual(signTree({ ...without, creditvoid_id }, md5Key), '00674834991e4908fd07b044cd6447d1')
})

const worked: Tree = { action: 'SALE', result: 'SUCCESS', amount: '9.22', list: { b: '15', a: '332', 10: 'x', 9: 'y' } }

test('the worked example of the general callback signature', () => {
  assert.equal(signedTreeBytes(worked, 'secret').toString(), 'ELAS22.9YX23351SSECCUSSECRET')
  assert.equal(signTree(worked, { password: 'secret', digest: 'md5' }), '513838daf2e99d42ae8960d4443f2c48')
})

test('the hash of a callback takes no part in itself, but a member named hash below does', () => {
  assert.equal(signTree({ ...sale, hash: 'anything' }, md5Key), signTree(sale, md5Key))
  assert.notEqual(signTree({ ...sale, custom_data: { hash: 'x' } }, md5Key), signTree(sale, md5Key))
})

test('what is not sent and what is empty both add nothing', () => {
  const more = { ...sale, arn: '', rrn: undefined, custom_data: {}, list: [] }
  assert.equal(signTree(more, md5Key), signTree(sale, md5Key))
})

test('names are ordered as whole numbers first, then by bytes', () => {
  // Each leaf is a letter that shows where its name was put.
  const tree = { '10': 'c', '9': 'b', '01': 'd', '-1': 'a', A: 'e', _: 'f', a: 'g', é: 'h', '\uFF5E': 'i', '😀': 'j' }
  assert.equal(signedTreeBytes(tree, 'P').toString(), 'BCADEFGHIJP')
})

test('whole numbers too long for a machine word keep their numeric order', () => {
  const tree = { '18446744073709551616': 'b', '9223372036854775807': 'a', '99999999999999999999': 'c' }
  assert.equal(signedTreeBytes(tree, 'P').toString(), 'ABCP')
})

test('a whole number too long for a machine word stands before every other name, wherever it is written', () => {
  const long = '99999999999999999999'
  for (const tree of [
    { [long]: 'a', b: 'b', c: 'c' },
    { b: 'b', [long]: 'a', c: 'c' },
    { b: 'b', c: 'c', [long]: 'a' },
  ])
    assert.equal(signedTreeBytes(tree, 'P').toString(), 'ABCP')
})

test('a list is signed as members named by their index', () => {
  const items = Array.from({ length: 12 }, (_, index) => `item-${index}`)
  assert.equal(signTree({ list: items }, md5Key), signTree({ list: { ...items } }, md5Key))
  assert.ok(signedTreeBytes({ list: items }, 'P').toString().endsWith('9-METI01-METI11-METIP'))
})

test('the order in which parameters are written never changes the hash', () => {
  const tree = fc.dictionary(fc.string({ maxLength: 3, unit: 'binary' }), fc.string({ maxLength: 5 }), { maxKeys: 8 })
  const digest = fc.constantFrom<Digest>('md5', 'sha256')
  fc.assert(
    fc.property(tree, digest, (members, how) => {
      const reversedMembers = Object.fromEntries(Object.entries(members).reverse())
      const key = { password, digest: how }
      assert.equal(signTree({ custom_data: reversedMembers }, key), signTree({ custom_data: members }, key))
    }),
  )
})
