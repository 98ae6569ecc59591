/** The payer's return with a client that is no browser: one-time keys and their use. Chapter 10 §8.3. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expiryFields, statusOf } from '../../payments.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

/** The one-time address of a new 3DS payment. */
async function beginWaiting(): Promise<{ transId: string; address: URL }> {
  const { body } = await shop.sale(expiryFields('05/2038'))
  return { transId: body.trans_id, address: new URL(body.redirect_params.TermUrl) }
}

const approve = (path: string): Promise<Response> =>
  fetch(`${shop.url}${path}`, {
    method: 'POST',
    body: new URLSearchParams({ PaRes: 'approve' }),
    redirect: 'manual',
  })

async function assertRefusedReturn(path: string): Promise<void> {
  const reply = await approve(path)
  assert.equal(reply.status, 400, path)
  assert.deepEqual(await reply.json(), {
    result: 'ERROR',
    error_code: 208002,
    error_message: 'Not acceptable to request the 3ds for payment not in 3ds status.',
    errors: [],
  })
}

test('a return is accepted only with the payment’s own key for this purpose', async () => {
  const { transId, address } = await beginWaiting()
  const other = await beginWaiting()
  const key = address.pathname.split('/').at(-1) ?? ''
  assert.match(key, /^[0-9a-f]{32}$/)
  const otherKey = other.address.pathname.split('/').at(-1) ?? ''
  for (const path of [
    `/verify/3ds/${transId}/${otherKey}`,
    `/verify/3ds/${transId}/${'0'.repeat(32)}`,
    `/verify/3ds/${transId}/x`,
    `/verify/redirect/${transId}/${key}`,
    `/collector/${transId}/${key}`,
    `/verify/3ds/00000000-0000-4000-8000-000000000000/${key}`,
    `/verify/3ds/not-a-payment/${key}`,
    `/verify/3ds/%00/${key}`,
  ]) {
    await assertRefusedReturn(path)
  }
  assert.equal(await statusOf(shop, transId), '3DS')
})

test('the key works once; afterwards it leads to the merchant and changes nothing', async () => {
  const { transId, address } = await beginWaiting()
  for (const _ of ['first', 'second']) {
    const reply = await approve(address.pathname)
    assert.equal(reply.status, 303)
    assert.match(reply.headers.get('location') ?? '', /^https:\/\/shop\.example\.com\/return\?trans_id=/)
  }
  assert.equal(await statusOf(shop, transId), 'SETTLED')
  const results = (await shop.callbacks(transId)).map(({ fields }) => fields['result'])
  assert.deepEqual(results, ['REDIRECT', 'SUCCESS'])
})

test('a key that expired with its payment leads to the merchant as well', async () => {
  const { transId, address } = await beginWaiting()
  await shop.advance(31 * 60_000)
  assert.equal(await statusOf(shop, transId), 'DECLINED')
  assert.equal((await approve(address.pathname)).status, 303)
  assert.equal(await statusOf(shop, transId), 'DECLINED')
})
