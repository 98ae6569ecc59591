/** A channel as its form holds it, and as the API takes it. */

import { clockText } from '#domain/time.ts'
import type { Answer } from '../../api/call.ts'
import { browserTimeZone } from '../../kit/form/time-zones.ts'
import { durationText } from '../../kit/values/instants.ts'
import { minutesOf } from '../../kit/values/minutes-of-day.ts'

export type Channel = Answer<'GET /alert-channels'>['channels'][number]

export interface ChannelValues {
  readonly name: string
  readonly kind: Channel['kind']
  readonly target: string
  readonly leastSeverity: Channel['leastSeverity']
  readonly kinds: readonly string[]
  readonly digestMinutes: string
  readonly isQuiet: boolean
  readonly quietFrom: string
  readonly quietUntil: string
  readonly timeZone: string
  readonly isEnabled: boolean
}

export const newChannel = (): ChannelValues => ({
  name: '',
  kind: 'mail',
  target: '',
  leastSeverity: 'warning',
  kinds: [],
  digestMinutes: '0',
  isQuiet: false,
  quietFrom: '22:00',
  quietUntil: '07:00',
  timeZone: browserTimeZone(),
  isEnabled: true,
})

export const valuesOf = (channel: Channel): ChannelValues => ({
  ...newChannel(),
  ...channel,
  target: '',
  digestMinutes: String(channel.digestMinutes),
  isQuiet: channel.quiet !== null,
  ...(channel.quiet === null
    ? {}
    : { quietFrom: clockText(channel.quiet.from), quietUntil: clockText(channel.quiet.until) }),
})

/** Without kind and target, which a change of a channel treats differently. */
export const bodyOf = ({ name, leastSeverity, kinds, timeZone, isEnabled, ...values }: ChannelValues) => ({
  name,
  leastSeverity,
  kinds: [...kinds],
  timeZone,
  isEnabled,
  digestMinutes: Number(values.digestMinutes),
  quiet: values.isQuiet ? { from: minutesOf(values.quietFrom), until: minutesOf(values.quietUntil) } : null,
})

export const digests = [
  { value: '0', text: 'At once' },
  { value: '15', text: 'Every 15 minutes, together' },
  { value: '60', text: 'Every hour, together' },
  { value: '1440', text: 'Once a day, together' },
]

/** How often alerts are sent, as the form offers it; the API takes other numbers as well. */
export const digestText = (minutes: number): string =>
  digests.find(({ value }) => value === String(minutes))?.text ?? `Every ${durationText(minutes * 60)}, together`
