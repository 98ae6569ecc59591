/** A merchant's accounts per currency, at this moment and for a period. Chapter 70 §3. */
import type { Account } from '#domain/money/ledger.ts'
import { exponentOf } from '#domain/money/money.ts'
import { type Movement, owedOf, sumsOf } from '#domain/pricing/statement.ts'
import { accountStore } from '../../store/finance/accounts.ts'
import { readWholeLedger } from '../../store/months/whole-ledger.ts'
import { type Grant, may } from '../access/permissions.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { PanelContext } from '../panel-context.ts'
import { dayAfter, startOf } from './statements.ts'

interface Period {
  /** Null from the beginning. */
  readonly from: string | null
  /** Null up to now. */
  readonly to: string | null
}

/**
 * Shows fees of acquirers and earnings of the operator only to users who may see settlement files: never to a merchant's users. See
 * decisions/statements#the-margin.
 */
export async function listAccountsFor(context: PanelContext, grant: Grant, merchantId: string, period: Period) {
  const accounts = await readAccounts(context, merchantId, period)
  if (may(grant, 'settlements.read')) return accounts
  return accounts.map(({ acquirerFeesMinor: _fees, marginMinor: _margin, ...shown }) => shown)
}

/** Refused for the minutes in which a month of payments is removed: a balance without it would be wrong. */
async function readAccounts(context: PanelContext, merchantId: string, period: Period) {
  const accounts = await readWholeLedger(context.pool, () => sumAccounts(context, merchantId, period))
  if (accounts === null)
    throw new AdminRefused('conflict', {
      message: 'Old payments are being removed, and balances are not complete meanwhile. Try again in some minutes.',
    })
  return accounts
}

async function sumAccounts({ pool, clock, configuration }: PanelContext, merchantId: string, period: Period) {
  const store = accountStore(pool)
  const from = period.from === null ? new Date(0) : startOf(period.from)
  const before = period.to === null ? new Date(clock.now().getTime() + 1) : startOf(dayAfter(period.to))
  const moved = Map.groupBy(await store.sumMovements(merchantId, from, before), ({ currency }) => currency)
  const acquirers = new Map((await store.sumAcquirers(merchantId, from, before)).map((one) => [one.currency, one]))
  return [...new Set([...moved.keys(), ...acquirers.keys()])].toSorted().map((currency) => {
    const movements = moved.get(currency) ?? []
    const acquirer = acquirers.get(currency) ?? { settledMinor: 0n, feesMinor: 0n }
    const { feesMinor } = sumsOf(movements)
    return {
      currency,
      decimals: exponentOf(currency, configuration.cryptoCurrencies()) ?? 2,
      receivableMinor: balanceOf(movements, 'settled') - acquirer.settledMinor,
      acquirerFeesMinor: acquirer.feesMinor,
      feesMinor,
      marginMinor: feesMinor - acquirer.feesMinor,
      reserveMinor: balanceOf(movements, 'reserve'),
      payableMinor: owedOf(movements),
      paidOutMinor: balanceOf(movements, 'paid_out'),
    }
  })
}

const balanceOf = (movements: readonly Movement[], account: Account): bigint =>
  movements.reduce(
    (sum, { from, to, amountMinor }) =>
      sum + (to === account ? amountMinor : 0n) - (from === account ? amountMinor : 0n),
    0n,
  )
