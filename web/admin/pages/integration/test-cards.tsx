/** The test cards of the sandbox acquirer. */
import type { JSX } from 'preact'
import { Copyable } from '../../kit/copy-button.tsx'
import { DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { testCards } from './test-card-table.ts'

export const TestCards = (): JSX.Element => (
  <>
    <Section title="Card number">
      <p>
        <Copyable text="4111111111111111" label="Copy the card number" />
      </p>
      <p>
        Any code. The expiry decides the outcome at the sandbox acquirer; every other expiry is declined. Acquirers’ own
        test accounts have their own cards. <a href="/docs/testing">Testing</a> explains more.
      </p>
    </Section>
    <DataTable
      caption="Test cards"
      list={pageOfRows(testCards)}
      keyOf={({ expiry }) => expiry}
      columns={[
        { title: 'Expiry', cell: ({ expiry }) => expiry, whole: true },
        { title: 'Outcome', cell: ({ outcome }) => outcome },
      ]}
      empty={<Empty title="No test cards." />}
    />
  </>
)
