/** Chapter 70 §3: a statement names its merchant in the letters of the merchant's language. See decisions/statements#font. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printable } from './pdf-fonts.ts'
import type { ShownStatement } from './statement-files.ts'
import { createStatementPdf } from './statement-pdf.ts'
import { pdfText } from './testing/pdf-text.ts'

const statement: ShownStatement = {
  merchantId: '01a1e009-0000-7000-8000-000000000001',
  merchantTitle: 'Acme',
  id: '01a1e009-0000-7000-8000-000000000002',
  currency: 'EUR',
  decimals: 2,
  firstDay: '2026-01-01',
  lastDay: '2026-01-31',
  openingMinor: 0n,
  salesMinor: 123_456n,
  refundsMinor: 0n,
  chargebacksMinor: 0n,
  payoutsMinor: 0n,
  feesMinor: 345n,
  heldMinor: 0n,
  releasedMinor: 0n,
  correctionsMinor: 0n,
  paidOutMinor: 0n,
  closingMinor: 123_111n,
  reserveMinor: 0n,
  madeBy: 'finance@operator.example',
  madeAt: new Date('2026-02-01T00:00:00Z'),
}

const printed = async (merchantTitle: string): Promise<readonly string[]> =>
  pdfText(Buffer.from((await createStatementPdf({ ...statement, merchantTitle })).content, 'base64'))

test('a statement names Polish, Czech, Turkish, Greek and Cyrillic merchants as they are written', async () => {
  for (const title of [
    'Łódź Żółta Gęś',
    'Žižkovská pivnice',
    'Şişli Çiğ Köfte İğne',
    'Țară și Fii',
    'Ελληνικά Ναυπηγεία ΑΕ',
    'Български пощи ЕООД',
    'Їжак і Ґудзик',
    'Привет, „Мир“ — №1',
  ]) {
    const lines = await printed(title)
    assert.deepEqual(lines.slice(0, 3), ['Statement', title, '2026-01-01 to 2026-01-31 (UTC), EUR'])
    assert.ok(lines.includes('1231.11 EUR'))
  }
})

test('letters with separate marks are printed as one letter', async () => {
  assert.equal((await printed('Z\u030ci\u0301z\u030cek'))[1], 'Žížek')
})

test('a title in another script is followed by the id of its merchant', async () => {
  assert.equal((await printed('日本 Ltd'))[1], '?? Ltd (01a1e009-0000-7000-8000-000000000001)')
  assert.equal((await printed('שלום'))[1], '???? (01a1e009-0000-7000-8000-000000000001)')
})

test('a title of several lines moves what is below it', async () => {
  const lines = await printed('Ä'.repeat(200))
  assert.ok(lines.length > (await printed('Acme')).length)
  assert.equal(lines.join('').match(/Ä/g)?.length, 200)
})

test('the fonts have every letter that is not replaced', async () => {
  const characters = Array.from({ length: 0xffff }, (_, index) => String.fromCharCode(index)).filter(
    (letter) => /[\p{L}\p{N}\p{P}\p{Sc}]/u.test(letter) && printable(letter) === letter,
  )
  assert.ok(characters.length > 700)
  for (let from = 0; from < characters.length; from += 60) {
    const wanted = characters.slice(from, from + 60).join('')
    assert.equal((await printed(wanted)).join('').includes('\ufffd'), false, wanted)
  }
})

test('a statement is stored under the name of its merchant in Latin letters', async () => {
  const { name } = await createStatementPdf({ ...statement, merchantTitle: 'Ελληνικά Ναυπηγεία ΑΕ' })
  assert.equal(name, 'statement-Ellinika-Nafpigeia-AE-EUR-2026-01-01-2026-01-31.pdf')
})

test('the same statement is the same file', async () => {
  assert.deepEqual(await createStatementPdf(statement), await createStatementPdf(statement))
})
