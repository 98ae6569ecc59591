/** The double-entry ledger of the payment. */
import type { JSX } from 'preact'
import { DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import type { Details } from './details.ts'

export function LedgerPostings({ details: { ledger, payment, timeline } }: { readonly details: Details }): JSX.Element {
  const typeOf = (id: string): string => timeline.find((one) => one.id === id)?.type ?? id
  return (
    <Section title="Ledger postings">
      <DataTable
        caption="Ledger postings"
        list={pageOfRows(ledger)}
        keyOf={({ transactionId, fromAccount, toAccount }) => `${transactionId} ${fromAccount} ${toAccount}`}
        columns={[
          { title: 'Transaction', cell: ({ transactionId }) => typeOf(transactionId) },
          { title: 'From', cell: ({ fromAccount }) => fromAccount },
          { title: 'To', cell: ({ toAccount }) => toAccount },
          {
            title: 'Amount',
            end: true,
            cell: ({ amountMinor, currency }) => (
              <Money minor={amountMinor} currency={currency} decimals={payment.amountDecimals} />
            ),
          },
          { title: 'When', cell: ({ at }) => <DateTime at={at} seconds /> },
        ]}
        empty={<Empty title="No postings." />}
      />
    </Section>
  )
}
