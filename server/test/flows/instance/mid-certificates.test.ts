/** Chapter 70 §9: the client certificate of a MID at a host of ISO 8583 is watched by a worker. */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { after, test } from 'node:test'
import { createMid } from '#server/setup/mids.ts'
import { pem, root } from '#server/wallets/tokens/testing/authority.ts'
import { labelledKey } from '#server/wallets/tokens/testing/keys.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop({}, ['instance watch'])
after(() => shop[Symbol.asyncDispose]())

const dayMs = 86_400_000

async function alerts(): Promise<readonly string[]> {
  await shop.service.awaitIdle()
  const { rows } = await shop.base.pool.query<{ text: string }>(
    "select text from alerts where kind = 'mid-certificate-expiring' order by raised_at, id",
  )
  return rows.map(({ text }) => text)
}

test('a certificate that expires raises one alert at each stage, also after a person has resolved it', async () => {
  const certificate = pem(root.der)
  const key = labelledKey('a client').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const credentials = {
    host: 'localhost',
    port: 9,
    encryption: 'tls',
    acquirer_id: '1',
    terminal_id: 'T',
    acceptor_id: 'A',
    mcc: '5661',
    city: 'B',
    country: 'DE',
    dialect: 'iso1987-ascii',
    client_certificate: certificate,
    client_key: key,
  }
  const features = { mode: 'live', name: 'host-live', connector: 'iso8583', descriptor: 'EXAMPLE SHOP' } as const
  await createMid(shop.base, features, credentials)
  await shop.service.configuration.refresh()
  assert.deepEqual(await alerts(), [])

  const until = new X509Certificate(certificate).validToDate.getTime()
  const advanceToDaysBefore = (days: number) => shop.advance(until - days * dayMs - shop.base.clock.now().getTime())
  await advanceToDaysBefore(29)
  assert.match((await alerts()).join(), /^The client certificate of MID host-live expires on .*, within 30 days\./)
  await shop.base.pool.query('update alerts set resolved_at = now()')
  await advanceToDaysBefore(20)
  assert.equal((await alerts()).length, 1)
  await advanceToDaysBefore(6)
  assert.match((await alerts())[1] ?? '', /within 7 days\./)
  await advanceToDaysBefore(-1)
  assert.match((await alerts())[2] ?? '', /expired on/)
  assert.equal((await alerts()).length, 3)
})
