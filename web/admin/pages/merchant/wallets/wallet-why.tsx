/** Explains why the button is missing on a page and why tokens are refused, for a given page and browser (chapter 40 §7). */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../../api/call.ts'
import { DataTable, pageOfRows } from '../../../kit/data-table.tsx'
import { CheckField, type Choice, FieldRow, SelectField, TextField } from '../../../kit/form/fields.tsx'
import { Form } from '../../../kit/form/form.tsx'
import { useForm } from '../../../kit/form/use-form.ts'
import { Section } from '../../../kit/page.tsx'
import { Notice } from '../../../kit/states.tsx'
import { DateTime } from '../../../kit/values/date-time.tsx'
import type { WalletRecordKey } from './wallet-record.ts'

type WalletDiagnosis = Answer<'GET /merchants/:merchantId/wallets/:mode/:wallet/why'>
type BrowserKind = '' | 'maker' | 'maker-no-card' | 'other' | 'unsupported' | 'frame'

interface Values {
  readonly host: string
  readonly currency: string
  readonly browser: BrowserKind
  readonly secure: boolean
  readonly auth: boolean
  readonly recurring: boolean
}

export function WalletWhy({ recordKey }: { readonly recordKey: WalletRecordKey }): JSX.Element {
  const why = useSignal<WalletDiagnosis | null>(null)
  const form = useForm<Values, WalletDiagnosis>({
    initial: { host: '', currency: '', browser: '', secure: true, auth: false, recurring: false },
    guards: false,
    send: ({ host, currency, browser, ...flags }) =>
      call('GET /merchants/:merchantId/wallets/:mode/:wallet/why', {
        params: { ...recordKey },
        query: {
          secure: String(flags.secure),
          auth: String(flags.auth),
          recurring: String(flags.recurring),
          ...(host.trim() === '' ? {} : { host: host.trim() }),
          ...(currency.trim() === '' ? {} : { currency: currency.trim().toUpperCase() }),
          ...(browser === '' ? {} : { browser }),
        },
      }),
    onDone: (answer) => {
      why.value = answer
    },
  })
  return (
    <Section title="Why is the button missing?">
      <Form form={form} act="Check" always>
        <FieldRow>
          <TextField label="Page host" optional mono at={form.at('host')} />
          <TextField label="Order currency" optional mono maxLength={3} at={form.at('currency')} />
          <SelectField label="Payer’s browser" at={form.at('browser')} options={browsers} />
        </FieldRow>
        <CheckField label="The page is served over HTTPS" at={form.at('secure')} />
        <CheckField label="The session only authorises (hold)" at={form.at('auth')} />
        <CheckField label="The session starts recurring payments" at={form.at('recurring')} />
      </Form>
      {why.value && <Reasons why={why.value} />}
    </Section>
  )
}

const Reasons = ({ why: { button, flow, recorded } }: { readonly why: WalletDiagnosis }): JSX.Element => (
  <div role="status" class="stack">
    <Notice tone={button === null ? 'good' : 'warn'}>
      <p>{button === null ? 'The button should be shown.' : `Missing: ${button.because}. ${button.remedy}`}</p>
    </Notice>
    <Notice tone={flow.unmet.length === 0 ? 'good' : 'info'}>
      <div>
        <p>{flows[flow.flow ?? 'none']}</p>
        <ul>
          {flow.unmet.map(({ because, remedy }) => (
            <li key={because}>
              {because}: {remedy}
            </li>
          ))}
        </ul>
      </div>
    </Notice>
    {recorded.length > 0 && <RecordedReports recorded={recorded} />}
  </div>
)

/** What settings cannot show: reports from payers' browsers and from the pages they visited. */
const RecordedReports = ({ recorded }: Pick<WalletDiagnosis, 'recorded'>): JSX.Element => (
  <DataTable
    caption="Hidden in the last seven days"
    list={pageOfRows(recorded)}
    keyOf={({ reason, source }) => `${reason} ${source}`}
    columns={[
      { title: 'Reason (last seven days)', cell: ({ reason }) => reason, whole: true },
      { title: 'Detected by', cell: ({ source }) => (source === 'browser' ? 'the payer’s browser' : 'the service') },
      { title: 'Count', cell: ({ count }) => new Intl.NumberFormat().format(count), end: true },
      { title: 'Last seen', cell: ({ lastAt }) => <DateTime at={lastAt} seconds />, whole: true },
    ]}
    empty={null}
  />
)

const flows = {
  decrypted: 'Card flow: tokens are decrypted here, and the acquirer receives the card data.',
  passed_on: 'Card flow: the card data is stored here, and the acquirer receives the original token.',
  virtual: 'Virtual flow: the acquirer receives the original token. The card data is not known here.',
  none: 'No MID accepts this wallet.',
} as const

const browsers: readonly Choice<BrowserKind>[] = [
  { value: '', text: 'Not specified' },
  { value: 'maker', text: 'The wallet provider’s browser' },
  { value: 'maker-no-card', text: 'The wallet provider’s browser, no card added' },
  { value: 'other', text: 'Another browser' },
  { value: 'unsupported', text: 'An unsupported browser' },
  { value: 'frame', text: 'A frame without permission' },
]
