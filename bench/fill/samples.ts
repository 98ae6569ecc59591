/** The payments that a fill copies: made by the gateway at the sandbox, one of each kind. */
import { only, type Stage, until } from '../../campaigns/stage/stage.ts'
import { type SampleName, sampleNames, sampleOrder } from './copies.ts'

const declined = { card_exp_month: '02' }
const withinMs = 60_000

// biome-ignore format: a table is read in columns.
const statuses: Readonly<Record<SampleName, string>> = {
  settled:  'SETTLED',
  declined: 'DECLINED',
  refunded: 'REFUND',
  voided:   'VOID',
}

/** Resolves when their callbacks are delivered. */
export async function makeSamples(stage: Stage): Promise<void> {
  const { merchant, pool } = stage
  const { url } = only(stage.apis)
  for (const name of sampleNames) {
    const sale = await merchant.sale(url, sampleOrder(name), name === 'declined' ? declined : {})
    const transId = sale.answered ? (sale.body.trans_id ?? '') : ''
    if (name === 'refunded') await merchant.followUp(url, 'CREDITVOID', transId)
    if (name === 'voided') await merchant.followUp(url, 'VOID', transId)
  }
  const orders = sampleNames.toSorted((one, other) => one.localeCompare(other))
  const wanted = JSON.stringify(orders.map((name) => [sampleOrder(name), statuses[name]]))
  const seconds = await until(async () => {
    const { rows } = await pool.query<{ order: string; status: string; due: number }>(
      `select p.order_id as order, p.status, (select count(*)::int from callbacks c
         where c.merchant_id = p.merchant_id and c.payment_id = p.id and c.state = 'due') as due
       from payments p where p.order_id like 'SAMPLE-%' order by p.order_id`,
    )
    const isDone = rows.every(({ due }) => due === 0)
    return isDone && JSON.stringify(rows.map(({ order, status }) => [order, status])) === wanted
  }, withinMs)
  if (seconds === null) throw new Error('The sample payments did not reach their outcomes.')
}
