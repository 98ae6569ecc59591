/** Which error is reported when a request has several faults, and its format. Chapter 10 §1.2, §1.3, §10.1. */
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { cardFormulas } from '#domain/signature/signature.ts'
import { type AccountOptions, openAccount } from '../../account.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { type Answer, formOf, openShop, payer, type RequestFields } from '../../shop.ts'

const shop = await openShop({ TRUSTED_PROXIES: '127.0.0.1' })
after(() => shop[Symbol.asyncDispose]())

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }
const invalid = (answer: Answer) => assertRefused(answer, 100000, 'Request data is invalid.')
const brokenEscape = (answer: Answer) =>
  assertViolations(answer, ['body: A percent sign must be followed by two hexadecimal digits.'])
const unknownRoute = (answer: Answer) => assertRefused(answer, 100000, 'Route or parameters is not supported', 404)
const tooLarge = (answer: Answer) => assertRefused(answer, 100000, 'Request is too large.', 413)

/** A step of chapter 10 §1.3: how a CAPTURE of a settled payment is made to fail there, and the answer of that step. */
interface Step {
  readonly title: string
  readonly account?: AccountOptions
  /** Set after the payment was made, because the payment itself would violate it. */
  readonly restriction?: string
  readonly exhausted?: boolean
  readonly fields?: RequestFields
  readonly rawTail?: string
  readonly answers: (answer: Answer) => void
}

const steps: readonly Step[] = [
  { title: '1 body', rawTail: '&x=%zz', answers: brokenEscape },
  { title: '2 action', fields: { action: 'NO_SUCH_ACTION' }, answers: unknownRoute },
  {
    title: '3 key',
    restriction: 'update merchants set test_only = true where name = $1',
    answers: (answer) => assertRefused(answer, 220002, 'Use merchant test key.'),
  },
  {
    title: '4 mapping',
    restriction: `delete from protocol_mappings where merchant_id = (select id from merchants where name = $1)`,
    answers: (answer) => assertRefused(answer, 100000, 'Protocol mapping not found.'),
  },
  {
    title: '5 address',
    restriction: `update merchants set allowed_ips = '{203.0.113.0/24}' where name = $1`,
    answers: (answer) => assertRefused(answer, 100000, 'IP address is not allowed.', 403),
  },
  {
    title: '6 rate',
    account: { merchant: { ratePerSecond: 1 } },
    exhausted: true,
    answers: (answer) => assertRefused(answer, 100000, 'Too many requests.', 429),
  },
  {
    title: '7 parameters',
    fields: { parameters: 'x' },
    answers: (answer) => assertViolations(answer, [`parameters: ${says.notValid}`]),
  },
  {
    title: '8 entity',
    fields: { trans_id: '00000000-0000-4000-8000-000000000000' },
    answers: (answer) => assertRefused(answer, 101000, 'Transaction does not exist.'),
  },
  {
    title: '9 hash',
    fields: { hash: '0'.repeat(32) },
    answers: (answer) => assertViolations(answer, [`hash: ${says.wrongHash}`]),
  },
  {
    title: '10 rules',
    answers: (answer) =>
      assertRefused(answer, 208003, 'Not acceptable to request the capture for payment not in pending status.'),
  },
]

/** A CAPTURE of a settled payment that fails at each of these steps, and always at step 10. */
async function captureFailing(faults: readonly Step[]): Promise<Answer> {
  const merchant = await openAccount(shop, faults.find(({ account }) => account)?.account)
  const { body } = await shop.sale({}, { merchant })
  const { key, password } = shop.merchant(merchant)
  // The clock is frozen, so that the bucket of two requests does not refill on a slow machine.
  const clock = faults.some(({ exhausted }) => exhausted) ? freezeClock() : null
  if (clock) for (const _ of [1, 2]) await shop.raw({ action: 'CAPTURE', client_key: key })
  for (const { restriction } of faults) if (restriction) await shop.configure(restriction, [merchant])

  const { trans_id } = body
  const hash = shop.sign(
    cardFormulas.followUp,
    { email: payer['payer_email'], trans_id, pan10: '4111111111' },
    password,
  )
  const sound = { action: 'CAPTURE', client_key: key, trans_id, hash }
  const form = formOf(Object.assign(sound, ...faults.map(({ fields }) => fields)))
  const tail = faults.map(({ rawTail = '' }) => rawTail).join('')
  const answer = await shop.send({ body: `${form.toString()}${tail}`, headers: formHeaders })
  clock?.restore()
  return answer
}

function freezeClock(): { restore(): void } {
  const now = shop.base.clock.now()
  return mock.method(shop.base.clock, 'now', () => now).mock
}

for (const [index, earlier] of steps.entries()) {
  test(`step ${earlier.title} has its own answer`, async () => {
    earlier.answers(await captureFailing([earlier]))
  })
  for (const later of steps.slice(index + 1)) {
    test(`a request that fails at step ${earlier.title} and at step ${later.title} is answered by the former`, async () => {
      earlier.answers(await captureFailing([earlier, later]))
    })
  }
}

for (const action of [undefined, '', 'sale', 'SALE ', 'CHARGEBACK', 'toString']) {
  test(`action ${JSON.stringify(action)} is an unknown route`, async () => unknownRoute(await shop.sale({ action })))
}

test('an action in bracket form and an empty body are unknown routes', async () => {
  unknownRoute(await shop.sale({ action: undefined, 'action[a]': 'SALE' }))
  unknownRoute(await shop.send({ body: '', headers: formHeaders }))
})

for (const path of ['/post', '/v2/post']) {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    test(`${method} ${path} is an unknown route`, async () => {
      const body = formOf(shop.saleFields()).toString()
      unknownRoute(
        await (method === 'GET'
          ? shop.send({ method, path: `${path}?${body}` })
          : shop.send({ method, path, body, headers: formHeaders })),
      )
    })
  }
  test(`HEAD ${path} is an unknown route`, async () => {
    assert.equal((await shop.send({ method: 'HEAD', path })).http, 404)
  })
}

test('a body of another type is refused without rows, and a broken escape is named', async () => {
  const fields = formOf(shop.saleFields())
  const json = JSON.stringify(Object.fromEntries(fields))
  for (const type of ['application/json', 'text/plain', 'application/xml', 'multipart/form-data', 'nonsense'])
    invalid(await shop.send({ body: json, headers: { 'content-type': type } }))
  brokenEscape(await shop.send({ body: 'action=SALE&order_id=%f', headers: formHeaders }))
  invalid(await shop.send({ body: 'no part at all', headers: { 'content-type': 'multipart/form-data; boundary=b' } }))
})

/** A form of this size with a known action and without a key. */
const bodyOf = (bytes: number): string => 'action=SALE&x='.padEnd(bytes, 'x')

test('a body may have 256 KiB and not a byte more', async () => {
  assert.equal((await shop.send({ body: bodyOf(262_144), headers: formHeaders })).http, 400)
  tooLarge(await shop.send({ body: bodyOf(262_145), headers: formHeaders }))
})

test('a body without a declared length is measured while it arrives', async () => {
  const stream = (bytes: number) => new Blob([bodyOf(bytes)]).stream()
  const request = { headers: formHeaders, duplex: 'half' as const }
  assert.equal((await shop.send({ ...request, body: stream(262_144) })).http, 400)
  tooLarge(await shop.send({ ...request, body: stream(262_145) }))
})

test('names may be nested 8 deep and no deeper', async () => {
  assertViolations(await shop.sale({ [`custom_data${'[a]'.repeat(8)}`]: '1' }), [])
  tooLarge(await shop.sale({ [`custom_data${'[a]'.repeat(9)}`]: '1' }))
})

test('a request may have 400 parameters and not one more', async () => {
  const filled = (count: number) => {
    const fields = shop.saleFields()
    const rest = count - Object.keys(fields).length
    return { ...fields, ...Object.fromEntries(Array.from({ length: rest }, (_, index) => [`x${index}`, '1'])) }
  }
  assertViolations(await shop.raw(filled(400)), [])
  tooLarge(await shop.raw(filled(401)))
})

const unknownKey = [`client_key: ${says.notCorrect}`]

test('an unknown client_key is the only fault reported', async () => {
  for (const client_key of ['00000000-0000-4000-8000-000000000000', 'x', 'x'.repeat(300)])
    assertViolations(await shop.raw({ action: 'SALE', client_key }), unknownKey)
  assertViolations(await shop.raw({ action: 'SALE', 'client_key[a]': '1' }), unknownKey)
})

test('a blocked merchant is answered like an unknown one, with either key', async () => {
  const merchant = await openAccount(shop, { merchant: { status: 'blocked' } })
  for (const mode of ['live', 'test'] as const) assertViolations(await shop.sale({}, { merchant, mode }), unknownKey)
})

test('the test key of a test-only account is served', async () => {
  const merchant = await openAccount(shop, { merchant: { testOnly: true }, mids: [{ mode: 'test' }] })
  assertRefused(await shop.sale({}, { merchant }), 220002, 'Use merchant test key.')
  assertViolations(await shop.sale({}, { merchant, mode: 'test' }), [])
})

test('a disabled mapping counts as none', async () => {
  const merchant = await openAccount(shop)
  await shop.configure(
    'update protocol_mappings set enabled = false where merchant_id = (select id from merchants where name = $1)',
    [merchant],
  )
  assertRefused(await shop.sale({}, { merchant }), 100000, 'Protocol mapping not found.')
})

test('an IP list admits only the addresses it contains', async () => {
  const from = (address: string) => shop.sale({}, { merchant: 'demo-ip-list', headers: { 'x-forwarded-for': address } })
  assertViolations(await from('203.0.113.9'), [])
  assertRefused(await from('198.51.100.9'), 100000, 'IP address is not allowed.', 403)
  assertRefused(await shop.sale({}, { merchant: 'demo-ip-list' }), 100000, 'IP address is not allowed.', 403)
})
