import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secret } from '#domain/secret.ts'
import { type CardText, cardText, readCardText } from './card-text.ts'

const number = secret('4000001000000018')
const merchantToken = { identifier: secret('DM4M-1'), metadata: { network: 'visa' } }

const plain = ({ number, holder, merchantToken }: CardText) => [
  number.reveal(),
  holder?.reveal() ?? null,
  merchantToken && { ...merchantToken, identifier: merchantToken.identifier.reveal() },
]

test('a bare number is sealed as it is, as cards always were', () => {
  const text = cardText({ number, holder: null, merchantToken: null })
  assert.equal(text.reveal(), '4000001000000018')
  assert.deepEqual(plain(readCardText(text)), ['4000001000000018', null, null])
})

for (const text of [
  { number, holder: secret('Jane "J" Doe'), merchantToken: null },
  { number, holder: null, merchantToken },
  { number, holder: secret('Jane Doe'), merchantToken: { ...merchantToken, metadata: null } },
]) {
  test('holder and merchant token are read exactly as they were sealed', () => {
    assert.deepEqual(plain(readCardText(cardText(text))), plain(text))
  })
}
