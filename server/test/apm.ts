/**
 * A merchant on S2S APM: `await apm.sale({ brand: 'upi-like' })`, `await apm.followUp('VOID', …)`. Every request is signed by the formula
 * of its action (chapter 20 §4.2) over the fields as they are sent; a `hash` among the fields takes precedence.
 */
import assert from 'node:assert/strict'
import { apmFormulas, type Formula, sign, signTree } from '#domain/signature/signature.ts'
import type { JsonObject } from '#server/contracts/records.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { protocolMappingStore } from '#server/store/configuration/protocol-mappings.ts'
import { type AccountOptions, openAccount } from './account.ts'
import type { ReceivedRequest } from './receiver.ts'
import type { Answer, As, Fields, RequestFields, Shop } from './shop.ts'

const apmPayer: Fields = {
  payer_ip: '203.0.113.7',
  return_url: 'https://shop.example.com/return',
}

const debitPayer: Fields = {
  payer_ip: '203.0.113.7',
  payer_return_url: 'https://shop.example.com/return',
}

const account: Fields = { 'parameters[account_number]': 'DE89370400440532013000' }

const bankAccount: Fields = {
  'parameters[account_holder]': 'Jane Doe',
  'parameters[account_number]': 'DE89370400440532013000',
  'parameters[payee_country]': 'DE',
}

const address: Fields = { 'parameters[address]': 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }

const { start, creditVoid, followUp, payout, byOrder } = apmFormulas

// biome-ignore format: a table is read in columns.
const formulas: Readonly<Record<string, Formula>> = {
  SALE: start,              DEBIT2VIRTUAL: start,   DEBIT2VIRTUAL_CALC: start,
  CREDITVOID: creditVoid,
  CAPTURE: followUp,        VOID: followUp,         GET_TRANS_STATUS: followUp,   DEBIT2VIRTUAL_COMPLETE: followUp,
  CREDIT2VIRTUAL: payout,   CREDIT2CRYPTO: payout,
  GET_TRANS_STATUS_BY_ORDER: byOrder,
}

export class Apm {
  readonly shop: Shop
  #orders = 0

  constructor(shop: Shop) {
    this.shop = shop
  }

  /** A SALE that settles, unless `over` changes it. */
  sale(over: RequestFields = {}, as: As = {}): Promise<Answer> {
    return this.send(
      'SALE',
      { ...this.order(), brand: 'vcard', identifier: 'success@example.com', ...apmPayer, ...over },
      as,
    )
  }

  /** A hold. */
  hold(over: RequestFields = {}, as: As = {}): Promise<Answer> {
    return this.sale({ auth: 'Y', ...over }, as)
  }

  payout(over: RequestFields = {}, as: As = {}): Promise<Answer> {
    return this.send('CREDIT2VIRTUAL', { ...this.order(), brand: 'bank-payout', ...bankAccount, ...over }, as)
  }

  cryptoPayout(over: RequestFields = {}, as: As = {}): Promise<Answer> {
    const order = { ...this.order(), order_amount: '0.00150000', order_currency: 'BTC', brand: 'crypto-pay' }
    return this.send('CREDIT2CRYPTO', { ...order, ...address, ...over }, as)
  }

  debit(over: RequestFields = {}, as: As = {}, action = 'DEBIT2VIRTUAL'): Promise<Answer> {
    const debited = { brand: 'account-debit', identifier: 'success@example.com', ...debitPayer, ...account }
    return this.send(action, { ...this.order(), ...debited, ...over }, as)
  }

  calculate(over: RequestFields = {}, as: As = {}): Promise<Answer> {
    return this.debit(over, as, 'DEBIT2VIRTUAL_CALC')
  }

  followUp(action: string, transId: string, over: RequestFields = {}, as: As = {}): Promise<Answer> {
    return this.send(action, { trans_id: transId, ...over }, as)
  }

  status(transId: string, as: As = {}): Promise<Answer> {
    return this.followUp('GET_TRANS_STATUS', transId, {}, as)
  }

  byOrder(orderId: string, as: As = {}): Promise<Answer> {
    return this.send('GET_TRANS_STATUS_BY_ORDER', { order_id: orderId }, as)
  }

  send(action: string, fields: RequestFields, as: As = {}): Promise<Answer> {
    return this.shop.raw(this.sign(action, fields, as), { path: '/post-va', ...as })
  }

  /** The fields that `send` sends, for tests that encode them themselves. */
  sign(
    action: string,
    fields: RequestFields,
    { merchant = 'demo', mode = 'live', digest = 'md5' }: As = {},
  ): RequestFields {
    const { key, test_key, password } = this.shop.merchant(merchant)
    const formula = formulas[action] ?? followUp
    const hash = sign(formula, fields, { password, digest })
    return { action, client_key: mode === 'live' ? key : test_key, hash, ...fields }
  }

  order(): Fields {
    this.#orders += 1
    return {
      order_id: `APM-${this.#orders}`,
      order_amount: '10.00',
      order_currency: 'EUR',
      order_description: 'Shoes',
    }
  }

  /** The callbacks of a payment so far, each with a hash by C1 unless another formula is named. */
  async callbacks(transId: string, signedBy: SignedBy = {}): Promise<readonly ReceivedRequest[]> {
    const received = await this.shop.callbacks(transId)
    for (const callback of received) assert.equal(callback.fields['hash'], this.#expectedHash(callback, signedBy))
    return received
  }

  #expectedHash(
    { fields, raw }: ReceivedRequest,
    { merchant = 'demo', digest = 'md5', formula, values }: SignedBy,
  ): string {
    const { password } = this.shop.merchant(merchant)
    const key = { password, digest }
    return formula
      ? sign(formula, { ...fields, ...values }, key)
      : signTree(raw.startsWith('{') ? fields : treeOf(raw), key)
  }

  /** Sets the options of a merchant's S2S APM mapping; the others return to their defaults, except for payouts. */
  choose(options: object, merchant = 'demo'): Promise<void> {
    return this.shop.configure(
      `update protocol_mappings set options = '{"payouts": true}' || $1::jsonb
       where protocol = 'S2S_APM' and merchant_id = (select id from merchants where name = $2)`,
      [JSON.stringify(options), merchant],
    )
  }
}

export interface SignedBy extends As {
  /** C2 or C3. */
  readonly formula?: Formula
  readonly values?: RequestFields
}

/** An account for a single test that may also use S2S APM. */
export async function openApmAccount(
  shop: Shop,
  wishes: AccountOptions = {},
  options: JsonObject = {},
): Promise<string> {
  const name = await openAccount(shop, wishes)
  const merchants = await merchantStore(shop.base.pool).list()
  const merchantId = merchants.find((merchant) => merchant.name === name)?.id ?? ''
  await protocolMappingStore(shop.base.pool).put({
    merchantId,
    protocol: 'S2S_APM',
    enabled: true,
    options: { payouts: true, ...options },
  })
  await shop.service.configuration.refresh()
  return name
}

type Branch = string | { [name: string]: Branch }

/**
 * Decodes a form body as a merchant's language would; written independently, so that the gateway's decoder is not tested against itself.
 */
function treeOf(body: string): { [name: string]: Branch } {
  const tree: { [name: string]: Branch } = {}
  for (const [name, value] of new URLSearchParams(body)) {
    const path = name.replaceAll(']', '').split('[')
    const last = path.pop() ?? ''
    let node = tree
    for (const part of path) {
      const inner = node[part]
      const next = typeof inner === 'object' ? inner : {}
      node[part] = next
      node = next
    }
    node[last] = value
  }
  return tree
}
