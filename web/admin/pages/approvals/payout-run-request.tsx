/** A payout run as the second person has to compare it: from which account, to whom, to which account and how much. */
import type { JSX } from 'preact'
import { textAt } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Badge } from '../../kit/badge.tsx'
import { DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { Notice } from '../../kit/states.tsx'
import { Day } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Money } from '../../kit/values/money.tsx'
import { accountText } from '../payout-runs/account-text.ts'
import { Holder } from '../payout-runs/holder.tsx'
import type { Approval } from './approval.ts'
import { SubjectResult } from './subject-result.tsx'

export function PayoutRunRequest({ approval: { request } }: { readonly approval: Approval }): JSX.Element {
  const read = useReading('GET /payout-runs/:runId', { params: { runId: textAt(request, 'runId') } })
  return (
    <SubjectResult read={read} lines={5}>
      {({ list, totalMinor, currency, decimals, ...run }) => (
        <>
          {list.some(({ accountChanged }) => accountChanged) && (
            <Notice tone="warn">
              A bank account was changed after the run was prepared. Refuse the run and prepare it again.
            </Notice>
          )}
          <KeyValues
            rows={[
              ['Total', <Money minor={totalMinor} currency={currency} decimals={decimals} />],
              ['Execution', <Day of={run.executeOn} />],
              ['From', <Holder name={run.holder} />],
              ['From account', <span class="mono">{accountText(run.number)}</span>],
            ]}
          />
          <DataTable
            caption="Items"
            list={pageOfRows(list)}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Merchant', cell: ({ merchantTitle }) => merchantTitle },
              { title: 'Holder', cell: ({ holder }) => <Holder name={holder} /> },
              {
                title: 'Account',
                cell: ({ number, accountChanged }) => (
                  <>
                    <span class="mono">{accountText(number)}</span>{' '}
                    {accountChanged && <Badge tone="warn">Changed</Badge>}
                  </>
                ),
              },
              {
                title: 'Amount',
                end: true,
                cell: ({ amountMinor }) => <Money minor={amountMinor} currency={currency} decimals={decimals} />,
              },
            ]}
          />
        </>
      )}
    </SubjectResult>
  )
}
