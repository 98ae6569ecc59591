/** Creates or changes a channel to which alerts are sent. */
import type { JSX } from 'preact'
import { type Answer, call, type Result } from '../../api/call.ts'
import { Drawer } from '../../kit/dialog.tsx'
import { CheckField, FieldGroup, FieldRow, SelectField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { MultiSelect } from '../../kit/form/multi-select.tsx'
import { timeZoneChoices } from '../../kit/form/time-zones.ts'
import { type FormState, useForm } from '../../kit/form/use-form.ts'
import { bodyOf, type Channel, type ChannelValues, digests, newChannel, valuesOf } from './channel-values.ts'

type Kinds = Answer<'GET /alert-channels'>['kinds']

interface ChannelDrawerProps {
  /** Null creates one. */
  readonly channel: Channel | null
  readonly kinds: Kinds
  readonly onDone: (secret: string | null) => void
  readonly onClose: () => void
}

export function ChannelDrawer({ channel, kinds, onDone, onClose }: ChannelDrawerProps): JSX.Element {
  const form = useForm({
    initial: channel === null ? newChannel() : valuesOf(channel),
    check: ({ name, target }) => ({
      name: name.trim() === '' ? 'Enter a name.' : null,
      target: channel === null && target.trim() === '' ? 'Enter where alerts are sent.' : null,
    }),
    paths: { quietUntil: 'quiet' },
    send: (values) => save(channel, values),
    onDone,
  })
  return (
    <Drawer title={channel === null ? 'New alert channel' : channel.name} onClose={onClose}>
      <Form form={form} act={channel === null ? 'Create channel' : 'Save'} onCancel={onClose}>
        <TextField label="Name" at={form.at('name')} maxLength={100} />
        <TargetFields form={form} channel={channel} />
        <SelectField label="Minimum severity" at={form.at('leastSeverity')} options={severities} />
        <MultiSelect
          label="Kinds"
          none="all kinds"
          at={form.at('kinds')}
          options={kinds.map(({ kind, severity }) => ({ value: kind, text: `${wordsOf(kind)} (${severity})` }))}
        />
        <SelectField
          label="Send"
          at={form.at('digestMinutes')}
          options={digests}
          hint="Critical alerts are always sent at once."
        />
        <QuietFields form={form} />
        <CheckField label="Enabled" at={form.at('isEnabled')} />
      </Form>
    </Drawer>
  )
}

interface FieldsProps {
  readonly form: FormState<ChannelValues>
}

function TargetFields({ form, channel }: FieldsProps & Pick<ChannelDrawerProps, 'channel'>): JSX.Element {
  const { kind } = form.values
  const { label, hint } = targets[kind]
  return (
    <>
      {channel === null && <SelectField label="Kind" at={form.at('kind')} options={channelKinds} />}
      <TextField
        label={label}
        at={form.at('target')}
        type={kind === 'mail' ? 'email' : 'url'}
        maxLength={1024}
        optional={channel !== null}
        hint={channel === null ? hint : `Now ${channel.shownTarget}. Leave empty to keep it.`}
      />
    </>
  )
}

const QuietFields = ({ form }: FieldsProps): JSX.Element => (
  <FieldGroup title="Quiet hours">
    <CheckField
      label="Hold alerts during quiet hours"
      hint="Critical alerts are always sent."
      at={form.at('isQuiet')}
    />
    {form.values.isQuiet && (
      <>
        <FieldRow>
          <TextField label="From" type="time" at={form.at('quietFrom')} />
          <TextField label="Until" type="time" at={form.at('quietUntil')} />
        </FieldRow>
        <SelectField label="Time zone" at={form.at('timeZone')} options={timeZoneChoices(form.values.timeZone)} />
      </>
    )}
  </FieldGroup>
)

/** Returns the secret of a new webhook. */
async function save(channel: Channel | null, values: ChannelValues): Promise<Result<string | null>> {
  const target = values.target.trim()
  if (channel === null) {
    const created = await call('POST /alert-channels', { body: { ...bodyOf(values), kind: values.kind, target } })
    return created.ok ? { ok: true, value: created.value.secret } : created
  }
  const body = { ...bodyOf(values), ...(target === '' ? {} : { target }) }
  const changed = await call('PUT /alert-channels/:channelId', { params: { channelId: channel.id }, body })
  return changed.ok ? { ok: true, value: null } : changed
}

const wordsOf = (kind: string): string => kind.replaceAll(/[-.]/g, ' ')

const channelKinds = [
  { value: 'mail', text: 'E-mail' },
  { value: 'webhook', text: 'Webhook (signed)' },
  { value: 'chat', text: 'Chat (incoming webhook)' },
] as const

// biome-ignore format: a table is read in columns.
const targets: Readonly<Record<Channel['kind'], { readonly label: string; readonly hint: string }>> = {
  mail:    { label: 'E-mail address', hint: 'A person or a mailing list.' },
  webhook: { label: 'Address',        hint: 'Receives JSON, signed with a secret that is shown once.' },
  chat:    { label: 'Address',        hint: 'The incoming webhook of Slack, Mattermost, Google Chat or a Teams workflow.' },
}

const severities = [
  { value: 'notice', text: 'Notice: all alerts' },
  { value: 'warning', text: 'Warning and critical' },
  { value: 'critical', text: 'Critical only' },
] as const
