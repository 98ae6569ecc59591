/** A brand: what it accepts and requires, and its record for editing. A new brand begins with an example. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call, wordAt } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { May } from '../../kit/may.tsx'
import { Page, Section } from '../../kit/page.tsx'
import { ReadResult } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { durationText } from '../../kit/values/instants.ts'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { go } from '../../router/current-address.ts'
import { isOwn, textsAt, titleOf } from '../brands/record.ts'
import type { PageArguments } from '../page-arguments.ts'
import { ParameterTables } from './parameter-tables.tsx'
import { RecordEditor } from './record-editor.tsx'

type Brand = Answer<'GET /brands/:brand'>

const above = [['Brands and card networks', '/brands']] as const

export function BrandPage({ params: { brand = '' } }: PageArguments): JSX.Element {
  return brand === 'new' ? <NewBrand /> : <KnownBrand key={brand} code={brand} />
}

const NewBrand = (): JSX.Element => (
  <Page title="New brand" above={above}>
    <Section title="Record">
      <RecordEditor record={example} version={0} act="Create brand" onSaved={({ code }) => go(`/brands/${code}`)} />
    </Section>
  </Page>
)

/** A minimal record of a brand. */
const example = {
  code: 'my-brand',
  title: { en: 'My brand' },
  kind: 'redirect',
  actions: ['SALE', 'CREDITVOID'],
  connectors: ['*'],
  currencies: ['*'],
  countries: ['*'],
  expires_after: 3600,
}

function KnownBrand({ code }: { readonly code: string }): JSX.Element {
  const read = useReading('GET /brands/:brand', { params: { brand: code } })
  const isCopying = useSignal(false)
  const open = (isOpen: boolean) => () => {
    isCopying.value = isOpen
  }
  const brand = read.value
  return (
    <Page
      title={brand ? titleOf(brand) : code}
      above={above}
      actions={<May use="brands.write">{brand?.record !== null && <Button onClick={open(true)}>Copy</Button>}</May>}
    >
      <ReadResult read={read}>{(value) => <BrandContent brand={value} reload={read.reload} />}</ReadResult>
      {isCopying.value && (
        <Dialog title={`Copy ${code}`} onClose={open(false)}>
          <CopyForm code={code} onCancel={open(false)} />
        </Dialog>
      )}
    </Page>
  )
}

function BrandContent({ brand, reload }: { readonly brand: Brand; readonly reload: () => void }): JSX.Element {
  const { record } = brand
  if (record === null)
    return (
      <Section>
        <KeyValues
          rows={[
            ['Code', <span class="mono">{brand.code}</span>],
            ['Kind', 'Card network'],
            ['State', <Status of={brand.enabled ? 'enabled' : 'disabled'} />],
          ]}
        />
      </Section>
    )
  return (
    <>
      <Section title="Overview">
        <KeyValues rows={rowsOf(brand)} />
      </Section>
      <Section title="Parameters">
        <ParameterTables record={record} />
      </Section>
      <Section title="Record">
        <RecordEditor key={brand.version} record={record} version={brand.version} act="Save" onSaved={reload} />
      </Section>
    </>
  )
}

const rowsOf = (brand: Brand) =>
  [
    ['Code', <span class="mono">{brand.code}</span>],
    ['Aliases', textsAt(brand.record, 'aliases').join(', ')],
    ['Kind', brand.kind],
    ['State', <Status of={brand.enabled ? 'enabled' : 'disabled'} />],
    ['Created by', isOwn(brand) ? 'the operator' : 'built in'],
    ['Actions', textsAt(brand.record, 'actions').join(', ')],
    ['Connectors', everyOr(textsAt(brand.record, 'connectors'))],
    ['Currencies', everyOr(textsAt(brand.record, 'currencies'))],
    ['Countries', everyOr(textsAt(brand.record, 'countries'))],
    ['Two stages', wordAt(brand.record, 'two_stage')],
    ['Refunds', wordAt(brand.record, 'refund')],
    ['Voids', wordAt(brand.record, 'void')],
    ['On the hosted page', wordAt(brand.record, 'page_mode')],
    ['Expires after', durationText(Number(wordAt(brand.record, 'expires_after')))],
    ['Cascades', wordAt(brand.record, 'cascade')],
    ['Version', String(brand.version)],
  ] as const

const everyOr = (names: readonly string[]): string => (names.includes('*') ? 'all' : names.join(', '))

function CopyForm({ code, onCancel }: { readonly code: string; readonly onCancel: () => void }): JSX.Element {
  const form = useForm({
    initial: { code: '', title: '' },
    guards: false,
    send: (values) =>
      call('POST /brands/:brand/copy', {
        params: { brand: code },
        body: { code: values.code.trim(), title: values.title.trim() || null },
      }),
    onDone: (copy: Brand) => {
      toast(`Brand ${copy.code} created.`)
      go(`/brands/${copy.code}`)
    },
  })
  return (
    <Form form={form} act="Copy" onCancel={onCancel} always>
      <TextField
        label="New code"
        mono
        hint="Lowercase letters, digits, hyphens and underscores."
        at={form.at('code')}
      />
      <TextField
        label="Title"
        optional
        hint="In English. Leave empty to keep the original title."
        at={form.at('title')}
      />
    </Form>
  )
}
