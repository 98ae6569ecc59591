/** One statement with all of its lines, and its files. */
import type { JSX } from 'preact'
import { call, type Result } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { saveFile } from '../../kit/save-file.ts'
import { toastFault } from '../../kit/toasts.tsx'
import { Day } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Money } from '../../kit/values/money.tsx'
import type { Statement } from './statement.ts'

interface StatementDrawerProps {
  readonly statement: Statement
  readonly onClose: () => void
}

export function StatementDrawer({ statement, onClose }: StatementDrawerProps): JSX.Element {
  const { merchantId, id, currency, decimals } = statement
  const money = (minor: string) => <Money minor={minor} currency={currency} decimals={decimals} />
  const less = (minor: string) => money(minor === '0' ? minor : minor.startsWith('-') ? minor.slice(1) : `-${minor}`)
  const params = { merchantId, statementId: id }
  const save = async (
    read: Promise<Result<{ readonly name: string; readonly content: string }>>,
    type: 'text/csv;charset=utf-8' | 'application/pdf',
  ): Promise<void> => {
    const result = await read
    if (!result.ok) return toastFault(result.fault)
    saveFile(result.value, type)
  }
  return (
    <Drawer title={`Statement of ${statement.merchantTitle}`} onClose={onClose}>
      <KeyValues
        rows={[
          ['From', <Day key="from" of={statement.firstDay} />],
          ['To', <Day key="to" of={statement.lastDay} />],
          ['Opening balance', money(statement.openingMinor)],
          ['Sales', money(statement.salesMinor)],
          ['Refunds', less(statement.refundsMinor)],
          ['Chargebacks', less(statement.chargebacksMinor)],
          ['Payouts to payees', less(statement.payoutsMinor)],
          ['Fees', less(statement.feesMinor)],
          ['Kept in reserve', less(statement.heldMinor)],
          ['Released from reserve', money(statement.releasedMinor)],
          ['Corrections', money(statement.correctionsMinor)],
          ['Paid out', less(statement.paidOutMinor)],
          ['Closing balance', money(statement.closingMinor)],
          ['Reserve at the end', money(statement.reserveMinor)],
          ['Closed by', statement.madeBy],
        ]}
      />
      <p>
        <Button
          onClick={() =>
            void save(call('GET /merchants/:merchantId/statements/:statementId/pdf', { params }), 'application/pdf')
          }
        >
          Download PDF
        </Button>{' '}
        <Button
          onClick={() =>
            void save(
              call('GET /merchants/:merchantId/statements/:statementId/csv', { params }),
              'text/csv;charset=utf-8',
            )
          }
        >
          Download CSV
        </Button>
      </p>
    </Drawer>
  )
}
