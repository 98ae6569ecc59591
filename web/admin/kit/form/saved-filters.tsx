/** Saves the filters of a page under a name, applies them and deletes them. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call, entriesOf } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { currentAddress } from '../../router/current-address.ts'
import { Link } from '../../router/link.tsx'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Menu } from '../menu.tsx'
import { toast, toastFault } from '../toasts.tsx'
import { TextField } from './fields.tsx'
import { Form } from './form.tsx'
import type { Filters } from './use-filters.ts'
import { useForm } from './use-form.ts'

interface SavedFiltersProps<Name extends string> {
  /** The page under whose name its filters are saved. */
  readonly page: string
  readonly filters: Filters<Name>
}

export function SavedFilters<Name extends string>({ page, filters }: SavedFiltersProps<Name>): JSX.Element {
  const read = useReading('GET /saved-filters')
  const isNaming = useSignal(false)
  const savedFilters = (read.value?.filters ?? []).filter((one) => one.page === page)
  const forget = async (filterId: string, name: string): Promise<void> => {
    const result = await call('DELETE /saved-filters/:filterId', { params: { filterId }, body: {} })
    if (!result.ok) return toastFault(result.fault)
    toast(`Saved filter ${name} deleted.`)
    read.reload()
  }
  return (
    <>
      <Menu label="Saved filters" icon="tag">
        {savedFilters.length === 0 && (
          <p class="faint menu-note">No saved filters. Set filters, then save them under a name.</p>
        )}
        {savedFilters.map(({ id, name, filter }) => (
          <div key={id} class="menu-pair">
            <Link to={`${currentAddress.value.path}?${queryOf(filter)}`}>{name}</Link>
            <Button small kind="quiet" icon="close" label={`Delete ${name}`} onClick={() => void forget(id, name)} />
          </div>
        ))}
        {filters.count > 0 && (
          <button
            type="button"
            onClick={() => {
              isNaming.value = true
            }}
          >
            Save these filters…
          </button>
        )}
      </Menu>
      {isNaming.value && (
        <NameDialog
          page={page}
          filter={setOf(filters.values)}
          onDone={read.reload}
          onClose={() => {
            isNaming.value = false
          }}
        />
      )}
    </>
  )
}

interface NameDialogProps {
  readonly page: string
  readonly filter: Readonly<Record<string, string>>
  readonly onDone: () => void
  readonly onClose: () => void
}

function NameDialog({ page, filter, onDone, onClose }: NameDialogProps): JSX.Element {
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Enter a name.' : null }),
    send: ({ name }) => call('POST /saved-filters', { body: { page, name: name.trim(), filter } }),
    onDone: ({ name }) => {
      toast(`Filters saved as ${name}.`)
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title="Save these filters" onClose={onClose}>
      <Form form={form} act="Save" onCancel={onClose}>
        <TextField
          label="Name"
          hint="Only you see saved filters. An existing name is overwritten."
          maxLength={100}
          at={form.at('name')}
        />
      </Form>
    </Dialog>
  )
}

const setOf = (values: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

const queryOf = (filter: unknown): string =>
  new URLSearchParams(entriesOf(filter).map(([name, value]): [string, string] => [name, String(value)])).toString()
