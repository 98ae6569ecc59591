/** The table of crypto currencies: their codes and decimals. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { type Column, DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { FieldRow, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { May } from '../../kit/may.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { countText } from '../../kit/values/count-text.ts'
import { may } from '../../session/session.ts'

interface Currency {
  readonly code: string
  readonly decimals: number
}

export function CryptoCurrencies(): JSX.Element {
  const read = useReading('GET /crypto-currencies')
  const remove = async ({ code }: Currency): Promise<void> => {
    const result = await call('PUT /crypto-currencies/:currency', {
      params: { currency: code },
      body: { decimals: null },
    })
    if (!result.ok) return toastFault(result.fault)
    toast(`${code} removed. New payments in it are refused.`)
    read.reload()
  }
  return (
    <Section title="Crypto currencies">
      <DataTable
        caption="Crypto currencies"
        list={pageOfRead(read, ({ currencies }) => currencies)}
        keyOf={({ code }) => code}
        columns={columnsWith((currency) => void remove(currency))}
        empty={<Empty title="No crypto currencies." />}
      />
      <May use="brands.write">
        <NewCurrency onDone={read.reload} />
      </May>
    </Section>
  )
}

function columnsWith(remove: (currency: Currency) => void): readonly Column<Currency>[] {
  const columns: readonly Column<Currency>[] = [
    { title: 'Code', cell: ({ code }) => <span class="mono">{code}</span> },
    { title: 'Decimals', cell: ({ decimals }) => countText(decimals), end: true },
  ]
  if (!may('brands.write')) return columns
  const button: Column<Currency> = {
    title: 'Actions',
    end: true,
    cell: (currency) => (
      <Button small onClick={() => remove(currency)}>
        Remove
      </Button>
    ),
  }
  return [...columns, button]
}

function NewCurrency({ onDone }: { readonly onDone: () => void }): JSX.Element {
  const form = useForm({
    initial: { code: '', decimals: '8' },
    guards: false,
    check: ({ code, decimals }) => ({
      code: code.trim() === '' ? 'Enter a code, such as BTC.' : null,
      decimals: /^\d{1,2}$/.test(decimals) ? null : 'Enter a whole number.',
    }),
    send: ({ code, decimals }) =>
      call('PUT /crypto-currencies/:currency', {
        params: { currency: code.trim().toUpperCase() },
        body: { decimals: Number(decimals) },
      }),
    onDone: (_, { code }) => {
      toast(`${code.trim().toUpperCase()} saved.`)
      form.reset({ code: '', decimals: '8' })
      onDone()
    },
  })
  return (
    <Form form={form} act="Add or change">
      <FieldRow>
        <TextField label="Currency code" mono at={form.at('code')} maxLength={12} />
        <TextField label="Decimals" inputMode="numeric" hint="Applies to new payments only." at={form.at('decimals')} />
      </FieldRow>
    </Form>
  )
}
