import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { explainHash } from './hash-explanation.ts'
import { apmFormulas, cardFormulas, checkoutFormulas, type Formula } from './signature.ts'

const password = '13a4822c5907ed235f3a068c76184fc3'
const keys = { passwords: [password], digest: 'md5' } as const
const values = {
  email: 'doe@example.com',
  pan10: '4111111234',
  card_token: 'f5d6a0ab6fcfb6487a39e8256e50fff3c95aaa97a8dd5d2e3d7e2d1d0c5b1a2f',
  identifier: '+491701234567',
  order_id: 'ORDER-1',
  order_amount: '10.00',
  order_currency: 'EUR',
}
const explainS2s = (hash: unknown, formula: Formula, covered: Readonly<Record<string, string | undefined>> = values) =>
  explainHash(hash, { formulas: [formula], values: covered, isDigestedTwice: false }, keys)

test('the text before the digest is shown without the password, the card and the payer', () => {
  const shown = explainS2s('0', cardFormulas.start)
  assert.deepEqual(shown, {
    formula: 'md5(up( rev(email) . PASSWORD . rev(pan10) ))',
    values: [
      { name: 'email', value: 'd**@example.com' },
      { name: 'pan10', value: '******1234' },
    ],
    text: 'MOC.ELPMAXE@**D********4321******',
    mistake: null,
  })
  const withToken = JSON.stringify(explainS2s('0', cardFormulas.startWithToken))
  assert.match(withToken, /"f5d6\*{60}"/)
  assert.match(JSON.stringify(explainS2s('0', apmFormulas.start)), /"\+\*{10}67"/)
})

test('a value that was not sent is named, and bytes beyond ASCII are shown as such', () => {
  const shown = explainS2s('0', cardFormulas.start, { email: 'zoë@exämple.com' })
  assert.deepEqual(shown.values, [
    { name: 'email', value: 'z**@exämple.com' },
    { name: 'pan10', value: null },
  ])
  assert.equal(shown.text, 'MOC.ELPM\\xA4\\xC3XE@**Z********')
})

const hex = (digest: string, text: string | Buffer): string => createHash(digest).update(text).digest('hex')
const reverse = (text: string): string => [...text].reverse().join('')
const { email, pan10, identifier, order_id, order_amount, order_currency } = values

// biome-ignore format: a table is read in columns.
const cardMistakes: readonly (readonly [string, string])[] = [
  [hex('sha256', `${reverse(email)}${password}${reverse(pan10)}`.toUpperCase()), 'The digest was sha256; the merchant’s mapping requires md5.'],
  [hex('md5', `${reverse(email)}${password}${reverse(pan10)}`),                  'The text was not converted to upper case.'],
  [hex('md5', `${email}${password}${pan10}`.toUpperCase()),                      'The values were not reversed.'],
  [hex('md5', `${email}${password}${pan10}`),                                    'The values were neither reversed nor converted to upper case.'],
  [hex('md5', `${reverse(email)}${reverse(pan10)}`.toUpperCase()),               'The password is missing from the text.'],
  [hex('sha256', `${email}${password}${pan10}`.toUpperCase()),                   'The digest was sha256; the merchant’s mapping requires md5. The values were not reversed.'],
]

test('the usual mistakes of a hash are recognised', () => {
  for (const [hash, mistake] of cardMistakes) assert.equal(explainS2s(hash, cardFormulas.start).mistake, mistake)
  const apart = [identifier, order_id, order_amount, order_currency, password].map(reverse).join('').toUpperCase()
  assert.equal(
    explainS2s(hex('md5', apart), apmFormulas.start).mistake,
    'Each value was reversed by itself, not the joined text.',
  )
})

test('a mistake is recognised under the previous password and any accepted formula', () => {
  const { mistake } = explainHash(
    hex('md5', `${email}${password}`.toUpperCase()),
    { formulas: [cardFormulas.start, cardFormulas.wallet], values, isDigestedTwice: false },
    { passwords: ['f'.repeat(32), password], digest: 'md5' },
  )
  assert.equal(mistake, 'The values were not reversed.')
})

test('mistakes of the second digest of Checkout are recognised', () => {
  const names = checkoutFormulas.order
  const content = {
    formulas: [[{ step: 'up', parts: [...names, 'password'] } as const]],
    values,
    isDigestedTwice: true,
  }
  const text = `${order_id}${password}`.toUpperCase()
  const explain = (hash: string) => explainHash(hash, content, keys)
  assert.equal(explain('0').formula, 'sha1(md5(up( order_id . PASSWORD )))')
  assert.equal(explain(hex('md5', text)).mistake, 'The sha1 of the md5 is missing.')
  assert.equal(
    explain(hex('sha1', createHash('md5').update(text).digest())).mistake,
    'The sha1 was taken over the bytes of the md5, not over its hexadecimal text.',
  )
  assert.equal(explain(hex('sha1', hex('md5', text))).mistake, null)
})
