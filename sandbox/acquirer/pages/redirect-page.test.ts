// Written from chapter 10 §12: rows 12/2038 and 12/2039, "Redirect page".
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { temporaryFolder } from '../../kit/testing/temporary-folder.ts'
import { Acquirer } from '../acquirer.ts'
import { firstBody, openTestAcquirer, type TestAcquirer } from '../testing/test-acquirer.ts'
import { cancelledByPayer } from '../verdict.ts'
import { declinedAs } from './payer-report.ts'

const visa = '4111111111111111'
const return_url = 'https://pay.example.com/verify/redirect/p-1/5f0c3a9be1d24c7786a1f2d0b3c4e5f6'
const fields = { return_url, payment_id: 'p-1', descriptor: 'EXAMPLE SHOP' }

async function startRedirect(acquirer: TestAcquirer, expiry = '12/2038', type = 'sale') {
  const answer = await acquirer.first(type, visa, expiry, fields)
  return { id: answer.id, body: answer.body, path: String(answer.body.redirect_path) }
}

function choose(acquirer: TestAcquirer, path: string, decision: string): Promise<Response> {
  return fetch(acquirer.url + path, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' })
}

const readDecision = async (acquirer: TestAcquirer, id: string): Promise<string> => {
  const { body } = await acquirer.status(id)
  return [body.state, body.decline_class, body.reason].filter(Boolean).join(' ')
}

// biome-ignore format: a table is read in columns.
const rows = [
  // expiry    after Approve                           effects of a sale
  [ '12/2038', 'approved',                             ['sale 1000'] ],
  [ '12/2039', 'declined hard Declined by processing', []            ],
] as const

for (const [expiry, outcome, effects] of rows) {
  test(`expiry ${expiry} waits for the payer; Approve gives "${outcome}" and goes back, once`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    const { id, body, path } = await startRedirect(acquirer, expiry)
    assert.equal(body.state, 'redirect')
    assert.match(path, /^\/sandbox\/redirect\/p-1\/[0-9a-f]{32}$/)
    assert.equal(body.return_url, return_url)
    assert.equal(body.approval_code, undefined)
    assert.equal(await readDecision(acquirer, id), 'redirect')
    await acquirer.advance(86_400_000)
    assert.equal(await readDecision(acquirer, id), 'redirect', 'nobody decides for the payer')
    assert.deepEqual(await acquirer.effects(id), [])

    for (const decision of ['approve', 'approve', 'decline']) {
      const answer = await choose(acquirer, path, decision)
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, return_url])
      assert.equal(await readDecision(acquirer, id), outcome)
    }
    assert.deepEqual(await acquirer.effects(id), effects)
  })
}

test('the same rows hold for holds, debits and transfers', async (t) => {
  const acquirer = await openTestAcquirer(t)
  for (const type of ['authorize', 'debit', 'transfer']) {
    const { id, path } = await startRedirect(acquirer, '12/2038', type)
    await choose(acquirer, path, 'approve')
    assert.deepEqual(await acquirer.effects(id), [`${type} 1000`])
  }
})

test('an approved one can be captured and refunded like any other', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { id, path } = await startRedirect(acquirer, '12/2038', 'authorize')
  const original = await acquirer.status(id)
  const later = (type: string) => acquirer.later(type, original, '1000', { payment_id: 'p-1' })
  assert.equal((await later('capture')).body.state, 'declined', 'not before the payer agreed')
  await choose(acquirer, path, 'approve')
  assert.equal((await later('capture')).body.state, 'approved')
  assert.equal((await later('refund')).body.state, 'approved')
})

test('Decline is a decline by the payer, and a later Approve does not change it', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { id, path } = await startRedirect(acquirer)
  const answer = await choose(acquirer, path, 'decline')
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, return_url])
  assert.equal(await readDecision(acquirer, id), 'declined hard Cancelled by payer')
  await choose(acquirer, path, 'approve')
  assert.equal(await readDecision(acquirer, id), 'declined hard Cancelled by payer')
  assert.deepEqual(await acquirer.effects(id), [])
})

test('Leave says so and decides nothing, and neither does an unknown choice', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { id, path } = await startRedirect(acquirer)
  const left = await choose(acquirer, path, 'leave')
  assert.equal(left.status, 200)
  assert.match(await left.text(), /You left the page; nothing was sent\./)
  assert.equal((await choose(acquirer, path, 'steal')).status, 400)
  assert.equal(await readDecision(acquirer, id), 'redirect')
})

test('the page shows the payment and the three buttons; once decided it leads back', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { path } = await startRedirect(acquirer)
  const page = await fetch(acquirer.url + path, { headers: { 'accept-language': 'de-AT, en;q=0.5' } })
  const html = await page.text()
  for (const text of ['EXAMPLE SHOP', '10.00 EUR', '411111******1111', 'lang="de"'])
    assert.ok(html.includes(text), text)
  for (const choice of ['approve', 'decline', 'leave']) assert.ok(html.includes(`name="decision" value="${choice}"`))
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/)

  await choose(acquirer, path, 'approve')
  const again = await fetch(acquirer.url + path, { redirect: 'manual' })
  assert.deepEqual([again.status, again.headers.get('location')], [303, return_url])
})

test('the page names the merchant, and not the descriptor of the account that several merchants share', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { body } = await acquirer.first('sale', visa, '12/2038', { ...fields, merchant: 'The Shop of Good Shoes' })
  const html = await (await fetch(acquirer.url + String(body.redirect_path))).text()
  assert.ok(html.includes('The Shop of Good Shoes'))
  assert.ok(!html.includes('EXAMPLE SHOP'))
})

test('a wrong key or payment finds no page and decides nothing', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { id, path } = await startRedirect(acquirer)
  const wrong = [path.replace('p-1', 'p-2'), path.replace(/.$/, (last) => (last === '0' ? '1' : '0'))]
  for (const address of wrong) {
    assert.equal((await fetch(acquirer.url + address)).status, 404)
    assert.equal((await choose(acquirer, address, 'approve')).status, 404)
  }
  assert.equal(await readDecision(acquirer, id), 'redirect')
})

test('a repeated request names the same page, and finds the outcome once there is one', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { id, body, path } = await startRedirect(acquirer)
  const again = () => acquirer.post(id, firstBody('sale', visa, '12/2038', fields))
  assert.deepEqual((await again()).body, body)
  await choose(acquirer, path, 'approve')
  assert.equal((await again()).body.state, 'approved')
})

test('where no payer step is possible nobody is sent away', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const state = async (more: object) => (await acquirer.first('sale', visa, '12/2038', { ...fields, ...more })).body
  for (const absence of [{ moto: true }, { payer_present: false }, { external_3ds: { eci: '05' } }]) {
    assert.equal((await state(absence)).state, 'approved')
  }
  const { state: without, decline_class } = await state({ return_url: undefined })
  assert.deepEqual([without, decline_class], ['declined', 'authentication_required'])
})

test('only the rows with a redirect ask for it', async (t) => {
  const acquirer = await openTestAcquirer(t)
  assert.equal((await acquirer.first('sale', visa, '01/2038', fields)).body.state, 'approved')
  assert.equal((await acquirer.first('sale', visa, '05/2038', fields)).body.decline_class, 'authentication_required')
})

test('a return address that is none is refused before anything happens', async (t) => {
  const acquirer = await openTestAcquirer(t)
  for (const address of ['javascript:alert(1)', '/verify', 'https://', `https://a.example/${'x'.repeat(2048)}`]) {
    const answer = await acquirer.first('sale', visa, '12/2038', { return_url: address })
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'invalid_request'], address)
  }
})

test('waiting and decided redirects survive a restart', async (t) => {
  const folder = await temporaryFolder(t)
  const ids = [randomUUID(), randomUUID(), randomUUID()] as const
  const before = await Acquirer.open(folder)
  for (const id of ids) await before.submit(id, { ...firstBody('sale', visa, '12/2038'), ...fields })
  const waiting = (acquirer: Acquirer, id: string) => acquirer.book.find(id) ?? assert.fail(`${id} is lost`)
  await before.decide(waiting(before, ids[0]))
  await before.decide(waiting(before, ids[1]), declinedAs(cancelledByPayer))
  await before.close()

  const after = await Acquirer.open(folder)
  t.after(() => after.close())
  await after.decide(waiting(after, ids[2]))
  const states = await Promise.all(ids.map((id) => after.status(id, null)))
  assert.partialDeepStrictEqual(
    states.map(({ body }) => body),
    [{ state: 'approved' }, { state: 'declined' }, { state: 'approved' }],
  )
  assert.equal(after.book.ledger.size, 2)
})
