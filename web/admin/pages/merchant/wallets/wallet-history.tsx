/** The history of a wallet: who changed what, and when. */
import type { JSX } from 'preact'
import { type Column, DataTable, pageOfRows } from '../../../kit/data-table.tsx'
import { Section } from '../../../kit/page.tsx'
import { Empty } from '../../../kit/states.tsx'
import { DateTime } from '../../../kit/values/date-time.tsx'
import type { WalletChange } from './wallet-record.ts'

export const WalletHistory = ({ history }: { readonly history: readonly WalletChange[] }): JSX.Element => (
  <Section title="History">
    <DataTable
      caption="History of the wallet"
      list={pageOfRows(history)}
      keyOf={({ at, what }) => `${at} ${what}`}
      columns={columns}
      empty={<Empty title="No changes yet." />}
    />
  </Section>
)

const columns: readonly Column<WalletChange>[] = [
  {
    title: 'When',
    cell: ({ at }) => (
      <span class="nowrap">
        <DateTime at={at} />
      </span>
    ),
  },
  { title: 'User', cell: ({ byUser }) => <span class="nowrap">{byUser}</span> },
  { title: 'Change', cell: ({ what }) => what },
]
