/** A payment is disputed at a stand-in: the connector contests it there, and the stand-in has the answer with its files; or the stand-in decides it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { delivery, receipt } from '#server/connectors/testing/dispute-samples.ts'
import type { StandInHere } from '../stand-in-here.ts'

export async function contestDispute(at: StandInHere, paymentId: string, reference: string): Promise<void> {
  const { contest, reasons } = at.account.disputes ?? assert.fail('The connector answers no disputes.')
  await takeStep(at, reference, 'open')
  const dispute = await disputeOf(at, paymentId)
  const offered = (await reasons?.(dispute)) ?? []
  const documents = [receipt, delivery]
  const reason = offered.find(({ required }) => required.length === documents.length)?.code ?? null
  const outcome = await contest({ dispute, idempotencyKey: randomUUID(), reason, documents })
  assert.deepEqual(outcome, { result: 'accepted' })
  const answers: readonly { readonly payment: string; readonly documents: readonly unknown[] }[] = JSON.parse(
    await (await fetch(`${at.url}/disputes/answers`)).text(),
  )
  const found = answers.filter(({ payment }) => payment === reference)
  assert.deepEqual(
    found.map((answer) => answer.documents.length),
    [documents.length],
  )
}

async function takeStep(at: StandInHere, reference: string, step: string): Promise<void> {
  const taken = await fetch(`${at.url}/disputes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payment: reference, step }),
  })
  assert.equal(taken.status, 201, await taken.text())
}

/** The stand-in opens a dispute and decides it; resolves when its notifications have said so, of a won one with its money. */
export async function decideAt(at: StandInHere, paymentId: string, reference: string, decision: string): Promise<void> {
  await takeStep(at, reference, 'open')
  await takeStep(at, reference, decision)
  const missing = new Set(decision === 'won' ? ['chargeback-returned', 'won'] : [decision])
  while (missing.size > 0)
    for (const event of await at.nextEvents())
      if (event.paymentId === paymentId) missing.delete(event.kind === 'dispute-changed' ? event.state : event.kind)
}

/** As the acquirer names it in its notification. */
async function disputeOf(at: StandInHere, paymentId: string): Promise<string> {
  for (;;) {
    for (const event of await at.nextEvents())
      if (event.kind === 'dispute-changed' && event.paymentId === paymentId) return event.dispute
  }
}
