/** The price lists of a merchant; a list can be added and ended, never changed. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useMidChoices } from '../../api/mids.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { Day } from '../../kit/values/date-time.tsx'
import { dateText } from '../../kit/values/instants.ts'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { may } from '../../session/session.ts'
import { AddDialog } from './add-dialog.tsx'
import { monthlyText, type PriceList, reserveText, ruleText } from './price-list.ts'

type Open =
  | { readonly what: 'add'; readonly from: PriceList | null }
  | { readonly what: 'details'; readonly list: PriceList }

export function Lists({ merchantId }: { readonly merchantId: string }): JSX.Element {
  const read = useReading('GET /merchants/:merchantId/price-lists', { params: { merchantId } })
  const open = useSignal<Open | null>(null)
  const close = (): void => {
    open.value = null
  }
  return (
    <>
      {may('accounts.write') && (
        <p>
          <Button
            kind="primary"
            onClick={() => {
              open.value = { what: 'add', from: null }
            }}
          >
            Add price list
          </Button>
        </p>
      )}
      <DataTable
        caption="Price lists"
        list={pageOfRead(read, ({ lists }) => lists)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'From', cell: ({ validFrom }) => <Day of={validFrom} /> },
          { title: 'To', cell: ({ validTo }) => (validTo === null ? 'open-ended' : <Day of={validTo} />) },
          { title: 'Rules', end: true, cell: ({ rules }) => new Intl.NumberFormat().format(rules.length) },
          { title: 'Reserve', cell: reserveText },
          { title: 'By', cell: ({ madeBy }) => madeBy, minor: true },
          {
            title: 'Actions',
            end: true,
            cell: (list) => (
              <span class="row-actions">
                <Button
                  small
                  onClick={() => {
                    open.value = { what: 'details', list }
                  }}
                >
                  Details
                </Button>
                {may('accounts.write') && (
                  <Button
                    small
                    onClick={() => {
                      open.value = { what: 'add', from: list }
                    }}
                  >
                    Copy
                  </Button>
                )}
              </span>
            ),
          },
        ]}
        empty={
          <Empty title="No price lists.">
            <p>No fees are charged to this merchant. Add a price list with its fees and reserve.</p>
          </Empty>
        }
      />
      {open.value?.what === 'add' && (
        <AddDialog merchantId={merchantId} from={open.value.from} onDone={read.reload} onClose={close} />
      )}
      {open.value?.what === 'details' && (
        <ListDrawer merchantId={merchantId} list={open.value.list} onDone={read.reload} onClose={close} />
      )}
    </>
  )
}

interface ListDrawerProps {
  readonly merchantId: string
  readonly list: PriceList
  readonly onDone: () => void
  readonly onClose: () => void
}

function ListDrawer({ merchantId, list, onDone, onClose }: ListDrawerProps): JSX.Element {
  const mids = useMidChoices()
  const midName = (id: string): string => mids.choices.find(({ value }) => value === id)?.text ?? id
  const texts = list.rules.map((rule) => ruleText(rule, midName))
  return (
    <Drawer title={`Price list from ${dateText(list.validFrom)}`} onClose={onClose}>
      <KeyValues
        rows={[
          ['Last day', list.validTo === null ? 'none' : <Day of={list.validTo} />],
          ['Country', list.country],
          ['Region', list.region.length === 0 ? 'none' : list.region.join(', ')],
          ['Monthly fee', monthlyText(list)],
          ['Reserve', reserveText(list)],
        ]}
      />
      <Section title="Rules (first match applies)">
        <ol>
          {texts.map((text, index) => (
            <li key={`${index + 1} ${text}`}>{text}</li>
          ))}
        </ol>
      </Section>
      {may('accounts.write') && (
        <EndForm
          merchantId={merchantId}
          list={list}
          onDone={() => {
            onDone()
            onClose()
          }}
        />
      )}
    </Drawer>
  )
}

function EndForm({ merchantId, list, onDone }: Omit<ListDrawerProps, 'onClose'>): JSX.Element {
  const form = useForm({
    initial: { validTo: list.validTo ?? '' },
    check: ({ validTo }) => ({ validTo: validTo === '' ? 'Enter the last day.' : null }),
    send: ({ validTo }) =>
      call('PUT /merchants/:merchantId/price-lists/:listId', {
        params: { merchantId, listId: list.id },
        body: { validTo },
      }),
    onDone: () => {
      toast('Last day saved.')
      onDone()
    },
    guards: false,
  })
  return (
    <Section title="End">
      <Form form={form} act="Save">
        <TextField label="Last day" type="date" hint="A day in UTC, not before today." at={form.at('validTo')} />
      </Form>
    </Section>
  )
}
