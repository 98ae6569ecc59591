/** The attributes of a token to be minted. */
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { type Choice, FieldRow, SelectField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Notice } from '../../kit/states.tsx'
import { mode } from '../../session/mode.ts'
import type { Card, Fault } from './lists.ts'

export type MintAnswer = Answer<'POST /merchants/:merchantId/simulator/:mode/:wallet/tokens'>['minted']

type WalletName = 'walletapay' | 'walletbpay'

interface Values {
  readonly merchantId: string
  readonly wallet: WalletName
  readonly version: string
  readonly amount: string
  readonly currency: string
  readonly card: string
  readonly panType: string
  readonly fault: string
}

interface MintFormProps {
  readonly merchants: readonly Choice[]
  readonly cards: readonly Card[]
  readonly faults: readonly Fault[]
  readonly onMinted: (minted: MintAnswer) => void
}

export function MintForm({ merchants, cards, faults, onMinted }: MintFormProps): JSX.Element {
  const form = useForm<Values, { readonly minted: MintAnswer }>({
    initial: {
      merchantId: '',
      wallet: 'walletapay',
      version: 'EC_v1',
      amount: '1.99',
      currency: 'USD',
      card: 'approve',
      panType: 'DPAN',
      fault: '',
    },
    guards: false,
    check: ({ merchantId }) => ({
      merchantId: merchantId === '' ? 'Select a merchant.' : null,
    }),
    send: (values) =>
      call('POST /merchants/:merchantId/simulator/:mode/:wallet/tokens', {
        params: { merchantId: values.merchantId, mode: mode.value, wallet: values.wallet },
        body: { wishes: mintRequestOf(values) },
      }),
    onDone: ({ minted }) => onMinted(minted),
  })
  const { wallet, version, fault } = form.values
  const fitting = faults.filter(({ versions }) => versions.includes(version))
  const chosen = fitting.find((one) => one.fault === fault)
  return (
    <Form form={form} act="Create token" always>
      <FieldRow>
        <SelectField
          label="Merchant"
          at={form.at('merchantId')}
          options={[{ value: '', text: 'Select a merchant' }, ...merchants]}
        />
        <SelectField
          label="Wallet"
          options={walletChoices}
          at={{
            ...form.at('wallet'),
            // The versions of one wallet do not exist for the other.
            set: (next) => form.set({ wallet: next, version: versions[next][0], panType: 'DPAN', fault: '' }),
          }}
        />
        <SelectField label="Version" at={form.at('version')} options={versions[wallet].map(asChoice)} />
      </FieldRow>
      <FieldRow>
        {wallet === 'walletapay' && <TextField label="Amount" inputMode="decimal" at={form.at('amount')} />}
        {wallet === 'walletapay' && (
          <TextField label="Currency" suggest="currency" mono maxLength={3} at={form.at('currency')} />
        )}
        <SelectField label="Number type" at={form.at('panType')} options={panTypes[wallet].map(asChoice)} />
      </FieldRow>
      <SelectField label="Card" at={form.at('card')} options={cards.map(cardChoice)} />
      <SelectField
        label="Fault"
        at={form.at('fault')}
        options={[{ value: '', text: 'None' }, ...fitting.map(faultChoice)]}
      />
      {chosen && (
        <Notice>
          <p>
            Detected by {chosen.checks.join(', ')}; answer {chosen.answer}. {chosen.toDo}
          </p>
        </Notice>
      )}
    </Form>
  )
}

const walletChoices: readonly Choice<WalletName>[] = [
  { value: 'walletapay', text: 'Wallet A (walletapay)' },
  { value: 'walletbpay', text: 'Wallet B (walletbpay)' },
]

const versions = { walletapay: ['EC_v1', 'RSA_v1'], walletbpay: ['ECv2', 'ECv1'] } as const
const panTypes = { walletapay: ['DPAN', 'FPAN', 'MPAN'], walletbpay: ['DPAN', 'FPAN'] } as const

const asChoice = (value: string): Choice => ({ value, text: value })
const cardChoice = ({ name, network, outcome }: Card): Choice => ({
  value: name,
  text: `${name} (${network}, ${outcome})`,
})
const faultChoice = ({ number, fault, mutation }: Fault): Choice => ({
  value: fault,
  text: `${number} ${fault}: ${mutation}`,
})

function mintRequestOf({ wallet, version, amount, currency, card, panType, fault }: Values) {
  return {
    version,
    card,
    pan_type: panType,
    ...(wallet === 'walletapay' ? { amount: amount.trim(), currency: currency.trim().toUpperCase() } : {}),
    ...(fault === '' ? {} : { fault }),
  }
}
