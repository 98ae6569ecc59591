/** Card networks and brands: switched on and off, and copied as the start of an operator's own brand. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { brandKinds } from '#domain/brand/brand.ts'
import { type Answer, call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Status } from '../../kit/badge.tsx'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { type Column, DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { May } from '../../kit/may.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { may } from '../../session/session.ts'
import { CryptoCurrencies } from './crypto-currencies.tsx'
import { isOwn, titleOf } from './record.ts'

type Brand = Answer<'GET /brands'>['brands'][number]

export function BrandsPage(): JSX.Element {
  const filters = useFilters(['name', 'kind', 'state'])
  const read = useReading('GET /brands')
  const busy = useSignal<string | null>(null)
  const toggle = async ({ code, enabled }: Brand): Promise<void> => {
    busy.value = code
    const result = await call('PATCH /brands/:brand', { params: { brand: code }, body: { enabled: !enabled } })
    busy.value = null
    if (!result.ok) return toastFault(result.fault)
    toast(enabled ? `${code} disabled. New payments with it are refused.` : `${code} enabled.`)
    read.reload()
  }
  return (
    <Page
      title="Brands and card networks"
      actions={
        <May use="brands.write">
          <ButtonLink to="/brands/new" kind="primary" icon="plus">
            New brand
          </ButtonLink>
        </May>
      }
    >
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'text', name: 'name', label: 'Code or title' },
          { kind: 'choice', name: 'kind', label: 'Kind', options: kinds },
          { kind: 'choice', name: 'state', label: 'State', options: states },
        ]}
      />
      <DataTable
        caption="Brands and card networks"
        list={pageOfRead(read, ({ brands }) => brands.filter(isWanted(filters.values)))}
        keyOf={({ code }) => code}
        linkOf={({ code }) => `/brands/${code}`}
        columns={columnsWith(busy.value, (brand) => void toggle(brand))}
        empty={<Empty title="No brands match these filters." />}
      />
      <CryptoCurrencies />
    </Page>
  )
}

const kinds = ['card', ...brandKinds].map((kind) => ({ value: kind, text: kind === 'card' ? 'card network' : kind }))

const states = [
  { value: 'enabled', text: 'Enabled' },
  { value: 'disabled', text: 'Disabled' },
]

function isWanted(wanted: { readonly name: string; readonly kind: string; readonly state: string }) {
  const name = wanted.name.toLowerCase()
  return (brand: Brand): boolean =>
    (name === '' || `${brand.code} ${titleOf(brand)}`.toLowerCase().includes(name)) &&
    (wanted.kind === '' || brand.kind === wanted.kind) &&
    (wanted.state === '' || brand.enabled === (wanted.state === 'enabled'))
}

function columnsWith(busy: string | null, toggle: (brand: Brand) => void): readonly Column<Brand>[] {
  const columns: readonly Column<Brand>[] = [
    { title: 'Title', cell: titleOf },
    { title: 'Code', cell: ({ code }) => <span class="mono">{code}</span> },
    { title: 'Kind', cell: ({ kind }) => (kind === 'card' ? 'card network' : kind) },
    { title: 'State', cell: ({ enabled }) => <Status of={enabled ? 'enabled' : 'disabled'} /> },
    { title: 'Created by', cell: (brand) => (isOwn(brand) ? 'the operator' : 'built in'), minor: true },
  ]
  if (!may('brands.write')) return columns
  const button: Column<Brand> = {
    title: 'Actions',
    end: true,
    cell: (brand) => (
      <Button small busy={busy === brand.code} onClick={() => toggle(brand)}>
        {brand.enabled ? 'Disable' : 'Enable'}
      </Button>
    ),
  }
  return [...columns, button]
}
