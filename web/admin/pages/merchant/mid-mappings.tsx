/** The MIDs that a merchant may use: their order, channel and limits. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { type Column, DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { May } from '../../kit/may.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { may } from '../../session/session.ts'
import { type Mapping, MidMappingForm } from './mid-mapping-form.tsx'

type Mid = Answer<'GET /mids'>['mids'][number]
type OpenDialog =
  | { readonly what: 'form'; readonly mapping: Mapping | null }
  | { readonly what: 'remove'; readonly mapping: Mapping }

export function MidMappings({ merchantId }: { readonly merchantId: string }): JSX.Element {
  const read = useReading('GET /merchants/:merchantId/mappings', { params: { merchantId } })
  // Users of a merchant may see the mappings, but not the MIDs behind them.
  const mids = useReading('GET /mids', { when: may('mids.read') })
  const opened = useSignal<OpenDialog | null>(null)
  const close = (): void => {
    opened.value = null
  }
  const noteSaved = (words: string): void => {
    close()
    toast(words)
    read.reload()
  }
  const known = mids.value?.mids ?? []
  return (
    <Section
      title="MIDs of this merchant"
      actions={
        <May use="mappings.write">
          <Button
            kind="primary"
            icon="plus"
            onClick={() => {
              opened.value = { what: 'form', mapping: null }
            }}
          >
            Map MID
          </Button>
        </May>
      }
    >
      <DataTable
        caption="MIDs of this merchant"
        list={pageOfRead(read, ({ mappings }) => mappings)}
        keyOf={({ id }) => id}
        columns={columnsWith(known, (next) => {
          opened.value = next
        })}
        empty={
          <Empty title="No MIDs mapped yet.">
            <p>Until a MID is mapped, every payment is refused with error 204002.</p>
          </Empty>
        }
      />
      {opened.value?.what === 'form' && (
        <Dialog title={opened.value.mapping ? 'Edit mapping' : 'Map MID'} onClose={close} shape="wide">
          <MidMappingForm
            merchantId={merchantId}
            mapping={opened.value.mapping}
            mids={known}
            onDone={noteSaved}
            onCancel={close}
          />
        </Dialog>
      )}
      {opened.value?.what === 'remove' && (
        <RemoveDialog merchantId={merchantId} mapping={opened.value.mapping} onDone={noteSaved} onClose={close} />
      )}
    </Section>
  )
}

function columnsWith(mids: readonly Mid[], open: (next: OpenDialog) => void): readonly Column<Mapping>[] {
  const midOf = ({ midId }: Mapping): Mid | undefined => mids.find(({ id }) => id === midId)
  const columns: readonly Column<Mapping>[] = [
    { title: 'MID', cell: (mapping) => midOf(mapping)?.name ?? `${mapping.midId.slice(0, 8)}…` },
    { title: 'Mode', cell: (mapping) => midOf(mapping)?.mode ?? '—' },
    { title: 'State', cell: ({ enabled }) => <Status of={enabled ? 'enabled' : 'disabled'} /> },
    { title: 'Priority', cell: ({ priority }) => priority, end: true },
    { title: 'Weight', cell: ({ weight }) => weight, end: true },
    { title: 'Channel', cell: ({ channel }) => channel ?? 'none', minor: true },
  ]
  if (!may('mappings.write')) return columns
  const buttons: Column<Mapping> = {
    title: 'Actions',
    end: true,
    cell: (mapping) => (
      <div class="row-actions">
        <Button small onClick={() => open({ what: 'form', mapping })}>
          Change
        </Button>
        <Button small kind="danger" onClick={() => open({ what: 'remove', mapping })}>
          Remove
        </Button>
      </div>
    ),
  }
  return [...columns, buttons]
}

interface RemoveDialogProps {
  readonly merchantId: string
  readonly mapping: Mapping
  readonly onDone: (words: string) => void
  readonly onClose: () => void
}

const RemoveDialog = ({ merchantId, mapping, onDone, onClose }: RemoveDialogProps): JSX.Element => (
  <ConfirmDialog
    title="Remove MID mapping?"
    act="Remove"
    danger
    onClose={onClose}
    onConfirm={async () => {
      const params = { merchantId, mappingId: mapping.id }
      const result = await call('DELETE /merchants/:merchantId/mappings/:mappingId', { params, body: {} })
      if (result.ok) onDone('MID mapping removed.')
      return result
    }}
  >
    <p>New payments will no longer use this MID. Existing payments can still be captured and refunded.</p>
  </ConfirmDialog>
)
