/** What a run can pay: the merchants to choose from with their sum, and why others cannot be paid. */
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { DataTable, pageOfRows } from '../../kit/data-table.tsx'
import type { FieldBinding } from '../../kit/form/use-form.ts'
import { countText } from '../../kit/values/count-text.ts'
import { Day } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { Link } from '../../router/link.tsx'
import { accountText } from './account-text.ts'

export type Payable = Answer<'GET /payout-runs/payable'>
export type PayableCurrency = Payable['currencies'][number]
type PayableMerchant = Payable['payable'][number]
type Other = Payable['others'][number]

/** Merchants whose box is not ticked are remembered, so that one that becomes payable meanwhile is ticked. */
export const chosenOf = (payable: readonly PayableMerchant[], left: readonly string[]): readonly PayableMerchant[] =>
  payable.filter(({ merchantId }) => !left.includes(merchantId))

export const totalOf = (chosen: readonly PayableMerchant[]): string =>
  String(chosen.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n))

interface PayableChoiceProps {
  readonly payable: readonly PayableMerchant[]
  readonly of: PayableCurrency
  /** The merchants whose boxes are not ticked. */
  readonly at: FieldBinding<readonly string[]>
}

export function PayableChoice({
  payable,
  of: { currency, decimals, payable: all },
  at,
}: PayableChoiceProps): JSX.Element {
  const chosen = chosenOf(payable, at.value)
  return (
    <fieldset
      class="choice-group"
      id={at.id}
      tabIndex={-1}
      data-wrong={at.error !== null}
      aria-label="Merchants to pay"
      aria-describedby={at.error ? `${at.id}-error` : undefined}
    >
      <DataTable
        caption="Merchants to pay"
        list={pageOfRows(payable)}
        keyOf={({ merchantId }) => merchantId}
        columns={[
          { title: 'Merchant', cell: ({ merchantTitle }) => merchantTitle },
          {
            title: 'Account',
            cell: ({ holder, number }) => (
              <>
                {holder}
                <br />
                <span class="mono nowrap">{accountText(number)}</span>
              </>
            ),
          },
          { title: 'Statement to', cell: ({ lastDay }) => <Day of={lastDay} /> },
          {
            title: 'Amount',
            end: true,
            cell: ({ amountMinor, closingMinor, paidSinceMinor }) => (
              <>
                <Money minor={amountMinor} currency={currency} decimals={decimals} />
                {paidSinceMinor !== '0' && (
                  <div class="faint">
                    Closing <Money minor={closingMinor} currency={currency} decimals={decimals} />, already paid{' '}
                    <Money minor={paidSinceMinor} currency={currency} decimals={decimals} />
                  </div>
                )}
              </>
            ),
          },
        ]}
        choose={{
          chosen: new Set(chosen.map(({ merchantId }) => merchantId)),
          onChange: (next) => at.set(payable.map(({ merchantId }) => merchantId).filter((one) => !next.has(one))),
          label: ({ merchantTitle }) => `Pay ${merchantTitle}`,
        }}
      />
      <p class="below" role="status">
        Selected: {countText(chosen.length)} of {countText(payable.length)} merchants,{' '}
        <strong>
          <Money minor={totalOf(chosen)} currency={currency} decimals={decimals} />
        </strong>
      </p>
      {all > payable.length && (
        <p class="faint">
          {countText(all)} merchants can be paid; a run takes {countText(payable.length)} of them. Prepare another run
          for the others.
        </p>
      )}
      {at.error && (
        <p class="error" id={`${at.id}-error`}>
          {at.error}
        </p>
      )}
    </fieldset>
  )
}

const obstacleTexts: Readonly<Record<Other['obstacle'], string>> = {
  'no-statement': 'No closed statement yet.',
  'nothing-owed': 'The latest statement has no amount to pay out.',
  'paid-since': 'Paid out since the latest statement.',
  'no-account': 'Bank account missing.',
  'unwritable-holder': 'The account holder has letters that banks do not accept.',
  'in-waiting-run': 'In a run that is waiting for approval.',
  'in-approved-run': 'In an approved run.',
  paid: 'The latest statement is already paid.',
  'no-currency': 'Banks do not transfer this currency.',
}

/** What the user can do about it, in a link. */
function Remedy({ of, onLeave }: { readonly of: Other; readonly onLeave: () => void }): JSX.Element | null {
  const { obstacle, merchantId, runId } = of
  if (obstacle === 'no-account' || obstacle === 'unwritable-holder')
    return <Link to={`/price-lists?tab=banks&merchantId=${merchantId}`}>Enter the bank account</Link>
  if (['no-statement', 'paid', 'paid-since'].includes(obstacle)) return <Link to="/statements">Close a period</Link>
  if (obstacle === 'in-approved-run')
    return (
      <Link to={`/payout-runs?runId=${runId ?? ''}`} onClick={onLeave}>
        Show the run
      </Link>
    )
  return obstacle === 'in-waiting-run' ? <Link to="/approvals">Show approvals</Link> : null
}

interface ObstaclesProps {
  readonly answer: Payable
  readonly of: PayableCurrency
  readonly isOpen: boolean
  /** Called if the user follows a link to this page. */
  readonly onLeave: () => void
}

export function Obstacles({ answer, of: { currency, decimals }, isOpen, onLeave }: ObstaclesProps): JSX.Element | null {
  const { others, othersCount } = answer
  if (othersCount === 0) return null
  return (
    <details open={isOpen}>
      <summary>
        Not payable in {currency}: {countText(othersCount)}
      </summary>
      <DataTable
        caption="Merchants that cannot be paid"
        list={pageOfRows(others)}
        keyOf={({ merchantId }) => merchantId}
        columns={[
          { title: 'Merchant', cell: ({ merchantTitle }) => merchantTitle },
          {
            title: 'Reason',
            cell: (one) => (
              <>
                {obstacleTexts[one.obstacle]} <Remedy of={one} onLeave={onLeave} />
              </>
            ),
          },
          {
            title: 'Statement',
            end: true,
            cell: ({ amountMinor }) =>
              amountMinor === null ? '—' : <Money minor={amountMinor} currency={currency} decimals={decimals} />,
          },
        ]}
      />
      {othersCount > others.length && <p class="faint">Showing the first {countText(others.length)}.</p>}
    </details>
  )
}
