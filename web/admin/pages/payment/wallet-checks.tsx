/** The checks of a wallet token: their findings, and the one that refused it. Chapter 40 §15. */
import type { JSX } from 'preact'
import { Badge } from '../../kit/badge.tsx'
import { DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { Notice, type Tone } from '../../kit/states.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { walletTitle } from '../payments/method.ts'
import type { CheckRecord } from './details.ts'

type Check = CheckRecord['checks'][number]

interface WalletChecksProps {
  readonly record: CheckRecord
  /** Show only the check that refused the token; the rest can be opened. */
  readonly folded?: boolean
}

export function WalletChecks({ record, folded = false }: WalletChecksProps): JSX.Element {
  const failed = record.checks.filter(({ result }) => result === 'failed')
  return (
    <>
      {failed.length === 0 ? (
        <Notice tone="good">{passedText(record)}</Notice>
      ) : (
        <Notice tone="bad">
          <div>
            {failed.map((check) => (
              <p key={check.id}>{refusalText(check)}</p>
            ))}
          </div>
        </Notice>
      )}
      {folded ? (
        <details>
          <summary>All checks</summary>
          <div class="stack folded">
            <Findings record={record} />
          </div>
        </details>
      ) : (
        <Findings record={record} />
      )}
    </>
  )
}

function Findings({ record }: { readonly record: CheckRecord }): JSX.Element {
  return (
    <>
      <KeyValues
        rows={[
          ['Wallet', walletTitle(record.wallet)],
          ['Version', record.version],
          ['Decrypted here', record.flow === 'card' ? 'yes' : 'no, passed on unchanged'],
          ['Reason', record.flowReason],
          ['Signed by', record.trust.source],
          ['Root certificate', record.trust.rootFingerprint],
          record.trust.environment !== null && ['Environment', record.trust.environment],
          ['Number type', [record.panType, record.numberKind].filter((word) => word !== null).join(', ')],
          ['Network', record.network],
        ]}
      />
      <DataTable
        caption="Checks of the token"
        list={pageOfRows(record.checks)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Check', cell: ({ id, name }) => `${id} ${name}`, whole: true },
          { title: 'Result', cell: ({ result }) => <Badge tone={tones[result]}>{result}</Badge> },
          { title: 'Detail', cell: ({ detail }) => detail ?? '—' },
        ]}
      />
    </>
  )
}

const tones: Readonly<Record<Check['result'], Tone>> = {
  passed: 'good',
  failed: 'bad',
  'not applicable': 'plain',
  'not reached': 'plain',
}

const passedText = ({ checks }: CheckRecord): string => {
  const passed = checks.filter(({ result }) => result === 'passed').length
  return `The token passed all ${passed} checks that apply to it.`
}

const refusalText = ({ id, name, detail }: Check): string =>
  `Refused: ${name} (check ${id})${detail === null ? '' : `. ${detail}`}`

/** In one line, for lists. */
export const refusalOf = ({ checks }: CheckRecord): string => {
  const failed = checks.find(({ result }) => result === 'failed')
  return failed ? refusalText(failed) : 'Refused after its checks.'
}
