/** Why the button is missing on a page, and why tokens are not opened (chapter 40 §7): asked for a page and a browser, answered with a remedy. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../../api/call.ts'
import { DataTable, present } from '../../../kit/data-table.tsx'
import { CheckField, type Choice, FieldRow, SelectField, TextField } from '../../../kit/form/fields.tsx'
import { Form } from '../../../kit/form/form.tsx'
import { useForm } from '../../../kit/form/use-form.ts'
import { Section } from '../../../kit/page.tsx'
import { Notice } from '../../../kit/states.tsx'
import { DateTime } from '../../../kit/values/date-time.tsx'
import type { WalletPlace } from './wallet-place.tsx'

type Why = Answer<'GET /merchants/:merchantId/wallets/:side/:wallet/why'>
type BrowserKind = '' | 'maker' | 'maker-no-card' | 'other' | 'unsupported' | 'frame'

interface Values {
  readonly host: string
  readonly currency: string
  readonly browser: BrowserKind
  readonly secure: boolean
  readonly auth: boolean
  readonly recurring: boolean
}

export function WalletWhy({ place }: { readonly place: WalletPlace }): JSX.Element {
  const why = useSignal<Why | null>(null)
  const form = useForm<Values, Why>({
    initial: { host: '', currency: '', browser: '', secure: true, auth: false, recurring: false },
    guards: false,
    send: ({ host, currency, browser, ...flags }) =>
      call('GET /merchants/:merchantId/wallets/:side/:wallet/why', {
        params: { ...place },
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
      <Form form={form} act="Find out" always>
        <FieldRow>
          <TextField label="Host of the page" optional mono at={form.at('host')} />
          <TextField label="Currency of the order" optional mono maxLength={3} at={form.at('currency')} />
          <SelectField label="What the payer has" at={form.at('browser')} options={browsers} />
        </FieldRow>
        <CheckField label="The page is served over HTTPS" at={form.at('secure')} />
        <CheckField label="The session asks for a hold" at={form.at('auth')} />
        <CheckField label="The session begins a chain of payments" at={form.at('recurring')} />
      </Form>
      {why.value && <Reasons why={why.value} />}
    </Section>
  )
}

const Reasons = ({ why: { button, flow, recorded } }: { readonly why: Why }): JSX.Element => (
  <div role="status" class="stack">
    <Notice tone={button === null ? 'good' : 'warn'}>
      <p>
        {button === null
          ? 'The button is shown, as far as it can be told.'
          : `Missing: ${button.because}. ${button.remedy}`}
      </p>
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
    {recorded.length > 0 && <Recorded recorded={recorded} />}
  </div>
)

/** What settings cannot tell: the payers’ own browsers said it, or the pages that they saw. */
const Recorded = ({ recorded }: Pick<Why, 'recorded'>): JSX.Element => (
  <DataTable
    caption="Not shown in the last seven days"
    list={present(recorded)}
    keyOf={({ reason, source }) => `${reason} ${source}`}
    columns={[
      { title: 'Not shown in the last seven days because', cell: ({ reason }) => reason, whole: true },
      { title: 'Found by', cell: ({ source }) => (source === 'browser' ? 'the payer’s browser' : 'the service') },
      { title: 'Times', cell: ({ count }) => new Intl.NumberFormat().format(count), end: true },
      { title: 'Last', cell: ({ lastAt }) => <DateTime at={lastAt} seconds />, whole: true },
    ]}
    empty={null}
  />
)

const flows = {
  decrypted: 'Card flow: tokens are opened here, and the provider gets the card’s data.',
  passed_on: 'Card flow: the card’s data is kept here, and the provider gets the token as it came.',
  virtual: 'Virtual flow: the provider gets the token as it came, and nothing of the card is known here.',
  none: 'No MID takes this wallet.',
} as const

const browsers: readonly Choice<BrowserKind>[] = [
  { value: '', text: 'Not judged' },
  { value: 'maker', text: 'The maker’s own browser' },
  { value: 'maker-no-card', text: 'The maker’s own browser without a card' },
  { value: 'other', text: 'Another browser' },
  { value: 'unsupported', text: 'A browser that cannot' },
  { value: 'frame', text: 'A frame without permission' },
]
