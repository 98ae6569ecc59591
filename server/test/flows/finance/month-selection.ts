/** What can be paid out at the end of a month, and a run of selected merchants. */
import assert from 'node:assert/strict'
import { type Month, names } from './month-scene.ts'

/** From which the operator pays. */
export const operatorAccount = { holder: 'Operator', number: 'DE89370400440532013000', bic: null }

interface PayableAnswer {
  readonly currencies: readonly { currency: string; payable: number; totalMinor: string; from: object | null }[]
  readonly payable: readonly { merchantId: string; amountMinor: string; closingMinor: string; paidSinceMinor: string }[]
  readonly others: readonly { merchantId: string; obstacle: string; runId: string | null }[]
}

export const listPayable = async ({ finance }: Month, currency: string): Promise<PayableAnswer> =>
  (await finance.get(`/payout-runs/payable?currency=${currency}`)).body

/** Prepares a run of two of three merchants, which is refused in the end: the month pays all of them. */
export async function selectMerchants(month: Month): Promise<void> {
  const before = await listPayable(month, 'EUR')
  const eur = before.currencies.find(({ currency }) => currency === 'EUR')
  assert.deepEqual(
    [eur?.payable, eur?.from, before.payable.length, before.others],
    [names.length, null, names.length, []],
  )
  const sum = before.payable.reduce((total, { amountMinor }) => total + BigInt(amountMinor), 0n)
  assert.equal(eur?.totalMinor, String(sum))
  const [first, second] = before.payable.toSorted((one, other) => one.merchantId.localeCompare(other.merchantId))
  assert.ok(first && second)
  const wish = { currency: 'EUR', from: operatorAccount, executeOn: month.today(), reason: 'two of three' }
  const wished = (merchantIds: readonly string[], totalMinor?: string) =>
    month.finance.post('/payout-runs', { ...wish, merchantIds, ...(totalMinor === undefined ? {} : { totalMinor }) })
  assert.equal((await wished([])).http, 422, 'an empty selection is not everybody')
  const stranger = await wished([first.merchantId, crypto.randomUUID()])
  assert.deepEqual([stranger.http, /1 of the selected merchants cannot be paid/.test(stranger.text)], [409, true])
  const stale = await wished([first.merchantId], String(BigInt(first.amountMinor) + 1n))
  assert.deepEqual([stale.http, /Check the selection again/.test(stale.text)], [409, true], stale.text)
  const both = String(BigInt(first.amountMinor) + BigInt(second.amountMinor))
  const run = await wished([first.merchantId, second.merchantId], both)
  assert.equal(run.http, 200, run.text)
  const shown = (await month.finance.get(`/payout-runs/${run.body.id}`)).body
  assert.deepEqual([shown.totalMinor, shown.items], [both, 2])
  const meanwhile = await listPayable(month, 'EUR')
  assert.deepEqual(
    meanwhile.others.map(({ merchantId, obstacle, runId }) => ({ merchantId, obstacle, runId })).toSorted(byMerchant),
    [first, second].map(({ merchantId }) => ({ merchantId, obstacle: 'in-waiting-run', runId: run.body.id })),
  )
  assert.deepEqual(
    meanwhile.currencies.find(({ currency }) => currency === 'EUR')?.from,
    operatorAccount,
    'the account is remembered',
  )
  assert.equal(
    (await month.colleague.post(`/approvals/${run.body.approvalId}/refuse`, { note: 'all of them' })).http,
    200,
  )
  const after = await listPayable(month, 'EUR')
  assert.deepEqual(after.payable, before.payable)
  assert.equal(after.currencies.find(({ currency }) => currency === 'EUR')?.from, null, 'a refused account is not')
}

const byMerchant = (one: { readonly merchantId: string }, other: { readonly merchantId: string }): number =>
  one.merchantId.localeCompare(other.merchantId)
