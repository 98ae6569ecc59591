/** Where alerts are sent: by mail, to a webhook or into a chat. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { clockText } from '#domain/time.ts'
import { call, type Result } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty, Notice } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { SecretOnce } from '../../kit/values/secret-once.tsx'
import { ChannelDrawer } from './channel-drawer.tsx'
import { type Channel, digestText } from './channel-values.ts'

type Open =
  | { readonly what: 'edit'; readonly channel: Channel | null }
  | { readonly what: 'remove'; readonly channel: Channel }

export function AlertChannelsPage(): JSX.Element {
  const read = useReading('GET /alert-channels')
  const open = useSignal<Open | null>(null)
  const secret = useSignal<string | null>(null)
  const show = (next: Open | null) => () => {
    open.value = next
  }
  const sendTest = async (channel: Channel): Promise<void> => {
    const result = await call('POST /alert-channels/:channelId/test', { params: { channelId: channel.id } })
    if (!result.ok) return toastFault(result.fault)
    const { fault } = result.value
    if (fault !== null) return toast(`The test failed. ${fault}`, 'bad')
    toast(channel.kind === 'mail' ? 'The test e-mail is being sent.' : 'The test was accepted.')
  }
  return (
    <Page
      title="Alert channels"
      above={[['Alerts', '/alerts']]}
      actions={
        <Button kind="primary" icon="plus" onClick={show({ what: 'edit', channel: null })}>
          New channel
        </Button>
      }
    >
      {read.value?.sendsMail === false && (
        <Notice tone="warn">This instance sends no e-mail: SMTP_URL is not set.</Notice>
      )}
      <DataTable
        caption="Alert channels"
        list={pageOfRead(read, ({ channels }) => channels)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Sent to', cell: ({ kind, shownTarget }) => `${kindWords[kind]}: ${shownTarget}` },
          { title: 'Alerts', cell: alertsText, minor: true },
          { title: 'When', cell: timesText, minor: true },
          { title: 'State', cell: (channel) => <ChannelState channel={channel} /> },
          {
            title: 'Actions',
            end: true,
            cell: (channel) => (
              <span class="row-actions">
                <Button small onClick={() => void sendTest(channel)}>
                  Send a test
                </Button>
                <Button small onClick={show({ what: 'edit', channel })}>
                  Edit
                </Button>
                <Button small onClick={show({ what: 'remove', channel })}>
                  Remove
                </Button>
              </span>
            ),
          },
        ]}
        empty={
          <Empty title="No channels yet.">
            <p>Alerts appear on the page Alerts only. Create a channel to receive them by e-mail, webhook or chat.</p>
          </Empty>
        }
      />
      {open.value?.what === 'edit' && (
        <ChannelDrawer
          channel={open.value.channel}
          kinds={read.value?.kinds ?? []}
          onClose={show(null)}
          onDone={(made) => {
            toast('Channel saved.')
            secret.value = made
            open.value = null
            read.reload()
          }}
        />
      )}
      {open.value?.what === 'remove' && (
        <RemoveDialog channel={open.value.channel} onDone={read.reload} onClose={show(null)} />
      )}
      {secret.value !== null && (
        <SecretOnce
          title="Webhook secret"
          secrets={[['Secret', secret.value]]}
          onClose={() => {
            secret.value = null
          }}
        />
      )}
    </Page>
  )
}

const kindWords: Readonly<Record<Channel['kind'], string>> = { mail: 'E-mail', webhook: 'Webhook', chat: 'Chat' }

const alertsText = ({ kinds, leastSeverity }: Channel): string => {
  const which = kinds.length === 0 ? 'All kinds' : `${kinds.length} ${kinds.length === 1 ? 'kind' : 'kinds'}`
  return leastSeverity === 'notice'
    ? which
    : `${which}, ${leastSeverity}${leastSeverity === 'critical' ? '' : ' or critical'}`
}

const timesText = ({ digestMinutes, quiet, timeZone }: Channel): string => {
  const often = digestText(digestMinutes)
  return quiet === null ? often : `${often}, quiet ${clockText(quiet.from)}–${clockText(quiet.until)} ${timeZone}`
}

function ChannelState({ channel }: { readonly channel: Channel }): JSX.Element {
  if (!channel.isEnabled) return <Badge>disabled</Badge>
  if (channel.lastFault !== null)
    return (
      <span title={channel.lastFault}>
        <Badge tone="bad">failing</Badge> {channel.lastFault}
      </span>
    )
  if (channel.lastSentAt === null) return <Badge>nothing sent yet</Badge>
  return (
    <>
      <Badge tone="good">sent</Badge> <DateTime at={channel.lastSentAt} />
    </>
  )
}

interface RemoveDialogProps {
  readonly channel: Channel
  readonly onDone: () => void
  readonly onClose: () => void
}

const RemoveDialog = ({ channel, onDone, onClose }: RemoveDialogProps): JSX.Element => (
  <ConfirmDialog
    title={`Remove ${channel.name}?`}
    act="Remove"
    danger
    onClose={onClose}
    onConfirm={async (): Promise<Result<unknown>> => {
      const result = await call('DELETE /alert-channels/:channelId', { params: { channelId: channel.id } })
      if (!result.ok) return result
      toast('Channel removed.')
      onDone()
      return result
    }}
  >
    <p>
      {channel.waiting === 0
        ? 'Alerts are no longer sent there.'
        : `Alerts are no longer sent there. Waiting alerts (${channel.waiting}) are discarded.`}
    </p>
  </ConfirmDialog>
)
