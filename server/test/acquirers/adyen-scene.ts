/** A shop whose merchant pays over the Adyen stand-in, and what Adyen would send to it. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAdyen } from '#sandbox/acquirers/adyen/stand-in.ts'
import { startServices } from '#sandbox/kit/program.ts'
import { createMid, linkMerchant } from '#server/setup/mids.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { openAccount } from '../account.ts'
import { openShop, type RequestFields } from '../shop.ts'

/** One item of a webhook, without its signature. */
export type Item = Readonly<Record<string, unknown>>

type Headers = Readonly<Record<string, string>>

interface AdyenScene extends AsyncDisposable {
  readonly shop: Awaited<ReturnType<typeof openShop>>
  readonly pool: Pool
  /** Of the stand-in. */
  readonly url: string
  readonly merchantId: string
  /** Names the merchant in requests of the shop. */
  readonly as: { readonly merchant: string }
  readonly midId: string
  readonly credentials: Readonly<Record<string, unknown>>
  readonly key: string
  /** A message with one item, signed. */
  readonly bodyOf: (item: Item, by?: string) => string
  /** Returns the HTTP status. */
  readonly post: (body: string, mid?: string, headers?: Headers) => Promise<number>
  /** Posts an item and lets the workers enter what is due. */
  readonly notify: (item: Item, by?: string) => Promise<number>
  /** What the stand-in reports about the newest command of a kind on a payment. */
  readonly noticeOf: (paymentId: string, eventCode: string) => Promise<Item>
  readonly statusOf: (paymentId: string) => Promise<string>
  /** A settled payment. */
  readonly settle: (over?: RequestFields) => Promise<string>
}

const midName = 'adyen-live'

export async function openAdyenScene(): Promise<AdyenScene> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'adyen-scene-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const shop = opened.use(await openShop({}, ['back office']))
  const standIn = await openAdyen(folder)
  const running = await startServices([standIn], 0, (fault) => {
    throw fault
  })
  opened.defer(() => running.stop())

  const { pool } = shop.base
  const merchant = await openAccount(shop, { mids: [] })
  const { rows } = await pool.query<{ id: string }>('select id from merchants where name = $1', [merchant])
  const merchantId = rows[0]?.id ?? assert.fail(merchant)
  const credentials = standIn.credentials(running.url).live
  const settings = { mode: 'live', name: midName, connector: 'adyen', descriptor: 'EXAMPLE SHOP' } as const
  const { id: midId } = await createMid(shop.base, settings, credentials)
  await linkMerchant(shop.base, { priority: 1, merchantId, midId })
  await shop.service.configuration.refresh()

  const as = { merchant }
  const key = String(credentials['hmac_key'])
  const bodyOf = (item: Item, by = key): string =>
    JSON.stringify({ live: 'true', notificationItems: [{ NotificationRequestItem: signItem(item, by) }] })
  const post = async (body: string, mid = midName, headers: Headers = {}): Promise<number> => {
    const reply = await fetch(`${shop.url}/acquirers/${mid}/notifications`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    await reply.text()
    return reply.status
  }
  const notify = async (item: Item, by = key): Promise<number> => {
    const status = await post(bodyOf(item, by))
    await shop.service.awaitIdle()
    return status
  }
  const noticeOf = async (paymentId: string, eventCode: string): Promise<Item> => {
    const notices: readonly { readonly content: Item }[] = JSON.parse(
      await (await fetch(`${running.url}/notifications`)).text(),
    )
    const found = notices.findLast(
      ({ content }) => content['eventCode'] === eventCode && String(content['merchantReference']).startsWith(paymentId),
    )
    return found?.content ?? assert.fail(`The stand-in has no ${eventCode} of ${paymentId}.`)
  }
  const statusOf = async (paymentId: string): Promise<string> =>
    (await pool.query('select status from payments where id = $1', [paymentId])).rows[0]?.status
  const settle = async (over: RequestFields = {}): Promise<string> => {
    const { body } = await shop.sale(over, as)
    assert.equal(body.status, 'SETTLED', JSON.stringify(body))
    return body.trans_id
  }

  const resources = opened.move()
  return {
    shop,
    pool,
    url: running.url,
    merchantId,
    as,
    midId,
    credentials,
    key,
    bodyOf,
    post,
    notify,
    noticeOf,
    statusOf,
    settle,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

function signItem(item: Item, by: string): Item {
  const { value, currency } = item['amount'] as { readonly value: number; readonly currency: string }
  const { pspReference, originalReference = '', merchantAccountCode, merchantReference, eventCode, success } = item
  const texts = [
    pspReference,
    originalReference,
    merchantAccountCode,
    merchantReference,
    value,
    currency,
    eventCode,
    success,
  ]
  const hmacSignature = createHmac('sha256', Buffer.from(by, 'hex')).update(texts.join(':')).digest('base64')
  return { ...item, additionalData: Object.assign({}, item['additionalData'], { hmacSignature }) }
}
