/** Payments with the real package over the stand-ins of the family: one that answers at once, and one that sends the payer away. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { standIns } from '#sandbox/acquirers/registry.ts'
import { startServices } from '#sandbox/kit/program.ts'
import type { AcquirerAccount, AcquirerFacts, Answer, Order } from '#server/connectors/connector.ts'
import { enquire, exchange } from '#server/connectors/exchange.ts'
import type { Transformer } from '#server/connectors/prism/transformer/transformer.ts'
import { connectorById } from '#server/connectors/registry.ts'
import { createWires } from '#server/connectors/wire.ts'
import { withoutPayer } from './probe-repeat.ts'
import { sampleFollowUp, sampleOrder, sampleQuery } from './samples.ts'

/** What went wrong; nothing if all of it went as it should. */
export async function tryStandIns(helper: Transformer): Promise<readonly string[]> {
  const atOnce = await withAccount('prism-nmi', helper, payAtOnce)
  const repeated = await withAccount('prism-nmi', helper, payWithoutPayer)
  const redirected = await withAccount('prism-checkout', helper, payOverPage)
  return [
    ...differences('prism-nmi', atOnce, [
      'approved',
      'approved',
      'approved',
      'sale 1234 executed',
      'refund 400 executed',
    ]),
    ...differences('prism-nmi without the payer', repeated, [
      'approved',
      'approved',
      'sale 1234 executed',
      'sale 1234 executed',
    ]),
    ...differences('prism-checkout', redirected, [
      'payer-step',
      'approved',
      'approved',
      'sale 1234 executed',
      'refund 400 executed',
    ]),
  ]
}

const differences = (name: string, was: readonly string[], wanted: readonly string[]): readonly string[] =>
  was.join() === wanted.join() ? [] : [`${name}: ${was.join(', ')} in place of ${wanted.join(', ')}`]

type Trial = (account: AcquirerAccount) => Promise<readonly string[]>

/** Ends with the record of the company. */
async function withAccount(name: string, helper: Transformer, trial: Trial): Promise<readonly string[]> {
  const open = await standIns.get(name)?.()
  const connector = connectorById(name)
  if (!open || !connector) throw new Error(`There is no ${name}.`)
  const folder = await mkdtemp(join(tmpdir(), 'prism-trial-'))
  const standIn = await open(folder)
  const running = await startServices([standIn], 0, (fault) => {
    throw fault
  })
  const wires = createWires({ clock: { now: standIn.now }, prism: { ...helper, close: () => undefined } })
  try {
    const results = await trial(connector.open(standIn.credentials(running.url).test, wires, 'test'))
    const ledger: readonly { kind: string; amount: string; state: string }[] = JSON.parse(
      await (await fetch(`${running.url}/ledger`)).text(),
    )
    return [...results, ...ledger.map(({ kind, amount, state }) => `${kind} ${amount} ${state}`)]
  } finally {
    await wires.close()
    await running.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The answer to the charge is lost here: the acquirer is asked by our reference, and refunds what it found. */
const payAtOnce: Trial = async (account) => {
  const order = sampleOrder({})
  const sale = await send(() => account.sale(order))
  const found = await enquire(() => account.status(sampleQuery({ reference: null })), ignore)
  return [sale.result, found.result, await refund(account, order, found.result === 'approved' ? found.facts : {})]
}

/** A series: the first payment stores the card, and the next one names what the acquirer stored. */
const payWithoutPayer: Trial = async (account) => {
  const first = await send(() => account.sale(sampleOrder({ recurringInit: true })))
  const { storedCredential } = first.result === 'approved' ? first.facts : {}
  const transactionId = '0199a1b2-c3d4-7e5f-8a6b-000000000003'
  const later = withoutPayer(
    sampleOrder({ transactionId, ...(storedCredential && { chainCredential: storedCredential }) }),
  )
  return [first.result, (await send(() => account.sale(later))).result]
}

const payOverPage: Trial = async (account) => {
  const order = sampleOrder({})
  const sale = await send(() => account.sale(order))
  if (sale.result !== 'payer-step') return [sale.result]
  const decision = new URLSearchParams({ decision: 'approve' })
  await (await fetch(sale.url, { method: 'POST', body: decision, redirect: 'manual' })).text()
  const first = { ...sampleQuery({}).first, reference: sale.facts.reference ?? null, facts: sale.facts }
  const found = await enquire(() => account.status(sampleQuery({ reference: first.reference, first })), ignore)
  return [sale.result, found.result, await refund(account, order, sale.facts)]
}

async function refund(account: AcquirerAccount, { amountMinor }: Order, facts: AcquirerFacts): Promise<string> {
  const reference = facts.reference ?? null
  const first = { ...sampleFollowUp({}).first, amountMinor: amountMinor ?? 0n, reference, facts }
  const step = sampleFollowUp({ amountMinor: 400n, reference, first })
  return (await send(() => account.refund?.(step))).result
}

const ignore = (): undefined => undefined

const send = (operation: () => ReturnType<NonNullable<AcquirerAccount['refund']>> | undefined): Promise<Answer> =>
  exchange(
    async () => {
      const answer = operation()
      if (!answer) throw new Error('The operation is not offered.')
      return answer
    },
    ignore,
    ignore,
  )
