/** The same merchant on S2S APM, signed by the formulas of chapter 20 §4.2. */
import { apmFormulas, type Formula, sign } from '#domain/signature/signature.ts'
import type { Fields, Reply } from './merchant.ts'
import type { Stage } from './stage.ts'

type MerchantStage = Pick<Stage, 'merchant'>

const orderOf = (orderId: string): Fields => ({
  order_id: orderId,
  order_amount: '10.00',
  order_currency: 'EUR',
  order_description: 'Shoes',
})

interface Changes {
  /** Fields that replace those of the standard request. */
  readonly over?: Fields
  readonly headers?: Fields
}

interface FollowUp extends Changes {
  readonly action: string
  readonly transId: string
}

/** A SALE that settles, or with `auth` a hold. */
export function apmSale(
  stage: MerchantStage,
  url: string,
  orderId: string,
  { over = {}, headers = {} }: Changes = {},
): Promise<Reply> {
  const payer = {
    identifier: 'success@example.com',
    payer_ip: '203.0.113.7',
    return_url: 'https://shop.example.com/return',
  }
  stage.merchant.paidOnApm(orderId)
  const fields = { ...orderOf(orderId), brand: 'vcard', ...payer, ...over }
  return post(stage, url, { action: 'SALE', fields, formula: apmFormulas.start, headers })
}

export function apmPayout(stage: MerchantStage, url: string, orderId: string): Promise<Reply> {
  const payee = {
    'parameters[account_holder]': 'Jane Doe',
    'parameters[account_number]': 'DE89370400440532013000',
    'parameters[payee_country]': 'DE',
  }
  stage.merchant.paidOnApm(orderId)
  const fields = { ...orderOf(orderId), brand: 'bank-payout', ...payee }
  return post(stage, url, { action: 'CREDIT2VIRTUAL', fields, formula: apmFormulas.payout })
}

/** CREDITVOID has its own formula, unlike the others. */
export function apmFollowUp(
  stage: MerchantStage,
  url: string,
  { action, transId, over = {}, headers = {} }: FollowUp,
): Promise<Reply> {
  const formula = action === 'CREDITVOID' ? apmFormulas.creditVoid : apmFormulas.followUp
  return post(stage, url, { action, fields: { trans_id: transId, ...over }, formula, headers })
}

interface ApmRequest {
  readonly action: string
  readonly fields: Fields
  readonly formula: Formula
  readonly headers?: Fields
}

function post(
  { merchant }: MerchantStage,
  url: string,
  { action, fields, formula, headers = {} }: ApmRequest,
): Promise<Reply> {
  const hash = sign(formula, fields, { password: merchant.password, digest: 'md5' })
  const body = new URLSearchParams({ action, client_key: merchant.key, ...fields, hash }).toString()
  return merchant.raw(url, {
    path: '/post-va',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}
