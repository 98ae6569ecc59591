/** Channels to which alerts are sent. Chapter 70 §9. */
import { z } from 'zod'
import { alertKinds, severityOf } from '#domain/alert/alert-kinds.ts'
import { alertSeverities } from '#domain/alert/alert-severity.ts'
import { channelKinds } from '#domain/alert/channel-kind.ts'
import {
  changeAlertChannel,
  createAlertChannel,
  listAlertChannels,
  removeAlertChannel,
  tryAlertChannel,
} from '../../../../../panel/instance/alert-channels.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { doneAnswer, doneOutput, emptyBody, id, instant, textInput } from '../../values.ts'

const minuteOfDay = z.int().min(0).max(1439)
const quiet = z.object({ from: minuteOfDay, until: minuteOfDay }).nullable()
const severity = z.enum(alertSeverities)

const shownChannel = z.object({
  id,
  name: z.string(),
  kind: z.enum(channelKinds),
  /** An e-mail address, or the host of a web address, whose path is secret. */
  shownTarget: z.string(),
  /** Empty for all kinds. */
  kinds: z.array(z.string()).readonly(),
  leastSeverity: severity,
  /** Minutes of the day in the time zone. */
  quiet,
  timeZone: z.string(),
  /** 0 sends each alert at once. */
  digestMinutes: z.number(),
  isEnabled: z.boolean(),
  createdAt: instant,
  lastSentAt: instant.nullable(),
  lastFault: z.string().nullable(),
  lastFaultAt: instant.nullable(),
  waiting: z.number(),
})

const rules = {
  name: textInput(100),
  kinds: z.array(z.string().max(64)).max(100),
  leastSeverity: severity,
  quiet,
  timeZone: textInput(64),
  digestMinutes: z.int().min(0).max(1440),
  isEnabled: z.boolean(),
}

const target = textInput(1024)

export const alertChannelEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/alert-channels',
    summary: 'Lists the channels to which alerts are sent, and the kinds of alerts.',
    access: 'alerts.write',
    output: z.object({
      channels: z.array(shownChannel).readonly(),
      kinds: z.array(z.object({ kind: z.string(), severity })).readonly(),
      sendsMail: z.boolean(),
    }),
    run: async (_, { context }) => ({
      channels: await listAlertChannels(context),
      kinds: alertKinds.map((kind) => ({ kind, severity: severityOf(kind) })),
      sendsMail: context.sendsMail,
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/alert-channels',
    summary: 'Creates a channel; the secret that signs a webhook is shown once.',
    access: 'alerts.write',
    stepUp: true,
    body: z.strictObject({ kind: z.enum(channelKinds), target, ...rules }),
    output: z.object({ channel: shownChannel, secret: z.string().nullable() }),
    run: async ({ body }, { context, actor }) => {
      const { channel, secret } = await createAlertChannel(context, actor, body)
      return { answer: { channel, secret: secret?.reveal() ?? null }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'PUT',
    path: '/alert-channels/:channelId',
    summary: 'Changes a channel. Without a target its address stays; a channel that is disabled drops what waits.',
    access: 'alerts.write',
    stepUp: true,
    body: z.strictObject({ target: target.optional(), ...rules }),
    output: shownChannel,
    run: async ({ params: { channelId }, body }, { context, actor }) => ({
      answer: await changeAlertChannel(context, actor, channelId, body),
      audit: 'written',
    }),
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/alert-channels/:channelId',
    summary: 'Removes a channel; waiting alerts are discarded.',
    access: 'alerts.write',
    stepUp: true,
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { channelId } }, { context, actor }) => {
      await removeAlertChannel(context, actor, channelId)
      return { answer: doneAnswer, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/alert-channels/:channelId/test',
    summary: 'Sends a test message; a mail is queued. The fault is null if it was accepted.',
    access: 'alerts.write',
    body: emptyBody,
    output: z.object({ fault: z.string().nullable() }),
    run: async ({ params: { channelId } }, { context, actor }) => ({
      answer: { fault: await tryAlertChannel(context, actor, channelId) },
      audit: 'written',
    }),
  }),
]
