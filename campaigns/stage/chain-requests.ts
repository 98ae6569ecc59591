/** Merchant requests with other signatures than a sale's: payouts, chains, schedules and the payer's way through 3-D Secure. */
import { z } from 'zod'
import { pan10 } from '#domain/card.ts'
import { cardFormulas, type Formula, sign } from '#domain/signature/signature.ts'
import type { Fields, Reply } from './merchant.ts'
import type { Stage } from './stage.ts'

type MerchantStage = Pick<Stage, 'merchant'>

/** A successful first payment, as RECURRING_SALE and RECURRING_DEBIT name it. */
interface Chain {
  readonly recurring_init_trans_id: string
  readonly recurring_token: string
}

const chainSchema = z.object({ result: z.literal('SUCCESS'), trans_id: z.string(), recurring_token: z.string() })

export async function startChain(
  stage: MerchantStage,
  url: string,
  orderId: string,
  over: Fields = {},
): Promise<Chain> {
  const reply = await stage.merchant.sale(url, orderId, { recurring_init: 'Y', ...over })
  const { trans_id, recurring_token } = parseReply(reply, chainSchema)
  return { recurring_init_trans_id: trans_id, recurring_token }
}

const planSchema = z.object({ ...chainSchema.shape, first_recurring_date: z.string() })

/** The same on a schedule; returns the chain and the first date that was reported to the merchant. */
export async function startPlan(
  stage: MerchantStage,
  url: string,
  orderId: string,
  over: Fields,
): Promise<{ readonly recurringToken: string; readonly firstDateReported: string }> {
  const reply = await stage.merchant.sale(url, orderId, { recurring_init: 'Y', ...over })
  const { recurring_token, first_recurring_date } = parseReply(reply, planSchema)
  return { recurringToken: recurring_token, firstDateReported: first_recurring_date }
}

/** Signed by Formula 1 over the first payment's data, which are the same for every payment here; other fields of a sale are ignored. */
export function chargeChain(
  stage: MerchantStage,
  url: string,
  orderId: string,
  fields: Chain & Fields,
): Promise<Reply> {
  return stage.merchant.sale(url, orderId, fields)
}

const scheduleSchema = z.object({ result: z.literal('SUCCESS'), schedule_id: z.string() })

export async function createSchedule(stage: MerchantStage, url: string, fields: Fields): Promise<string> {
  const all = { action: 'CREATE_SCHEDULE', client_key: stage.merchant.key, name: 'Campaign', ...fields }
  return parseReply(await post(stage, url, all, { formula: cardFormulas.createSchedule, values: {} }), scheduleSchema)
    .schedule_id
}

const doneSchema = z.object({ result: z.literal('SUCCESS') })

/** PAUSE_SCHEDULE, RUN_SCHEDULE and the like, signed by Formula 4. */
export async function onSchedule(stage: MerchantStage, url: string, action: string, id: string): Promise<void> {
  const all = { action, client_key: stage.merchant.key, schedule_id: id }
  parseReply(await post(stage, url, all, { formula: cardFormulas.schedule, values: { schedule_id: id } }), doneSchema)
}

/** CREDIT2CARD, signed by Formula 5. */
export function payOut(stage: MerchantStage, url: string, orderId: string, card: string): Promise<Reply> {
  const order = { order_id: orderId, order_amount: '10.00', order_currency: 'EUR', order_description: 'Payout' }
  const all = { action: 'CREDIT2CARD', client_key: stage.merchant.key, card_number: card, ...order }
  return post(stage, url, all, { formula: cardFormulas.credit, values: { pan10: pan10(card) } })
}

const challengeSchema = z.object({ trans_id: z.string(), redirect_params: z.object({ TermUrl: z.string() }) })

/** A sale that waits for its payer; returns the path of the payer's one-time address. */
export async function sendPayerAway(stage: MerchantStage, url: string, orderId: string, over: Fields): Promise<string> {
  const { redirect_params } = parseReply(await stage.merchant.sale(url, orderId, over), challengeSchema)
  return new URL(redirect_params.TermUrl).pathname
}

const redirectSchema = z.object({ redirect_url: z.string() })

/** A sale whose payer was sent to the acquirer's page and approved there; returns the path of the return. */
export async function agreeAtAcquirer(stage: Stage, url: string, orderId: string, over: Fields): Promise<string> {
  const { redirect_url } = parseReply(await stage.merchant.sale(url, orderId, over), redirectSchema)
  const page = new URL(new URL(redirect_url).pathname, stage.sandbox.url)
  const body = new URLSearchParams({ decision: 'approve' })
  const reply = await fetch(page, { method: 'POST', body, redirect: 'manual' })
  return new URL(reply.headers.get('location') ?? '').pathname
}

/** The payer's browser returns from the access-control server with an approval. */
export function comeBack(stage: MerchantStage, url: string, path: string): Promise<Reply> {
  return stage.merchant.raw(url, {
    path,
    body: new URLSearchParams({ PaRes: 'approve' }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
}

interface SigningInput {
  readonly formula: Formula
  readonly values: Readonly<Record<string, string>>
}

function post(
  { merchant }: MerchantStage,
  url: string,
  fields: Fields,
  { formula, values }: SigningInput,
): Promise<Reply> {
  return merchant.post(url, { ...fields, hash: sign(formula, values, { password: merchant.password, digest: 'md5' }) })
}

function parseReply<T>(reply: Reply, schema: z.ZodType<T>): T {
  if (!reply.answered) throw new Error(`The gateway did not answer: ${reply.reason}`)
  const parsed = schema.safeParse(JSON.parse(reply.text))
  if (!parsed.success) throw new Error(`The gateway said ${reply.text}`)
  return parsed.data
}
