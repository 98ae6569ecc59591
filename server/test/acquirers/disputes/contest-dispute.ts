/** A payment is disputed at a stand-in, the connector contests it there, and the stand-in has the answer with its files. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { delivery, receipt } from '#server/connectors/testing/dispute-samples.ts'
import type { StandInHere } from '../stand-in-here.ts'

export async function contestDispute(at: StandInHere, paymentId: string, reference: string): Promise<void> {
  const { contest, reasons } = at.account.disputes ?? assert.fail('The connector answers no disputes.')
  const opened = await fetch(`${at.url}/disputes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payment: reference, step: 'open' }),
  })
  assert.equal(opened.status, 201, await opened.text())
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

/** As the acquirer names it in its notification. */
async function disputeOf(at: StandInHere, paymentId: string): Promise<string> {
  for (;;) {
    for (const event of await at.nextEvents())
      if (event.kind === 'dispute-changed' && event.paymentId === paymentId) return event.dispute
  }
}
