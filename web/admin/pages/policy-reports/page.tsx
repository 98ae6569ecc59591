/** Violations of the pages' content security policy, as browsers reported them. Chapter 80 §5. */
import type { JSX } from 'preact'
import { usePages } from '../../api/use-pages.ts'
import { DataTable } from '../../kit/data-table.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty, Notice } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'

export function PolicyReportsPage(): JSX.Element {
  const list = usePages('GET /policy-reports', { query: {} }, { rows: ({ reports }) => reports, next: () => null })
  return (
    <Page title="Policy reports">
      <Notice>
        <p>
          Browsers blocked content that the payment pages do not use. Usually a browser extension is the cause.
          Investigate reports from many payers or about our own scripts: a script may have been injected.
        </p>
      </Notice>
      <DataTable
        caption="Reports of browsers"
        list={list}
        keyOf={({ rule, blocked, page, source }) => [rule, blocked, page, source].join(' ')}
        columns={[
          {
            title: 'Blocked',
            cell: ({ blocked, rule }) => (
              <>
                {blocked}
                <div class="hint">{rule}</div>
              </>
            ),
            cut: ({ blocked }) => blocked,
          },
          { title: 'Page', cell: ({ page }) => page || '—', cut: ({ page }) => page },
          { title: 'Script', cell: ({ source }) => source || '—', cut: ({ source }) => source },
          { title: 'Reports', end: true, cell: ({ reports }) => new Intl.NumberFormat().format(reports) },
          {
            title: 'Last',
            cell: ({ firstAt, lastAt }) => (
              <>
                <DateTime at={lastAt} />
                <div class="hint">
                  first <DateTime at={firstAt} />
                </div>
              </>
            ),
            whole: true,
          },
        ]}
        empty={
          <Empty title="No reports.">
            <p>No browser has reported a violation in the last 90 days.</p>
          </Empty>
        }
      />
    </Page>
  )
}
