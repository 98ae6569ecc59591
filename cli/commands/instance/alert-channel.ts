/** Channels to which alerts are sent. Chapter 70 §9. */
import { alertSeverities } from '#domain/alert/alert-severity.ts'
import { channelKinds } from '#domain/alert/channel-kind.ts'
import { createAlertChannel, listAlertChannels, removeAlertChannel } from '#server/panel/instance/alert-channels.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { argument, flag, list, value } from '../../kit/options.ts'
import { withPanelRefusals } from '../../kit/panel-refusal.ts'
import * as readers from '../../kit/readers.ts'
import { record, table } from '../../kit/table.ts'

export const alertChannelCommands: readonly Command[] = [
  command({
    name: 'alert-channel create',
    changes: true,
    summary: 'Creates a channel to which alerts are sent; prints the signing secret of a webhook once.',
    details: 'Quiet hours and digests are set in the panel.',
    args: { name: argument('NAME', readers.nonEmpty), target: argument('TARGET', readers.nonEmpty) },
    options: {
      kind: value('KIND', `${channelKinds.join(', ')}; default mail.`, readers.oneOf(channelKinds)),
      severity: value(
        'SEVERITY',
        `Minimum severity: ${alertSeverities.join(', ')}; default warning.`,
        readers.oneOf(alertSeverities),
      ),
      only: list('ALERT', 'Kinds of alerts; default all.', readers.nonEmpty),
    },
    examples: [
      'gatehouse alert-channel create ops ops@example.com',
      'gatehouse alert-channel create pager https://hooks.example.com/gatehouse --kind webhook --severity critical',
    ],
    async run(context, { name, target }, { kind = 'mail', severity = 'warning', only = [] }) {
      await using instance = await openInstance(context)
      const rules = { leastSeverity: severity, kinds: only, quiet: null, timeZone: 'UTC', digestMinutes: 0 }
      const { channel, secret } = await withPanelRefusals(
        instance.change((change) =>
          createAlertChannel(change, change.actor, { name, target, kind, isEnabled: true, ...rules }),
        ),
      )
      context.output.out(
        record([
          ['name', channel.name],
          ['kind', channel.kind],
          ['target', channel.shownTarget],
          ...(secret === null ? [] : [['secret', secret.reveal()] as const]),
        ]),
      )
    },
  }),
  command({
    name: 'alert-channel list',
    summary: 'Lists the channels to which alerts are sent.',
    args: {},
    options: { json: flag('Prints JSON.') },
    async run(context, _args, { json }) {
      await using instance = await openInstance(context)
      const rows = (await listAlertChannels(instance)).map((channel) => ({
        name: channel.name,
        kind: channel.kind,
        target: channel.shownTarget,
        severity: channel.leastSeverity,
        enabled: channel.isEnabled,
        waiting: channel.waiting,
        last_sent: channel.lastSentAt,
        fault: channel.lastFault,
      }))
      const headings = ['name', 'kind', 'target', 'severity', 'enabled', 'waiting', 'last_sent', 'fault']
      if (json) printJson(context.output, rows)
      else
        context.output.out(
          table(
            headings,
            rows.map((row) => Object.values(row)),
          ),
        )
    },
  }),
  command({
    name: 'alert-channel remove',
    changes: true,
    summary: 'Removes a channel; waiting alerts are discarded.',
    args: { name: argument('NAME', readers.nonEmpty) },
    options: {},
    async run(context, { name }) {
      await using instance = await openInstance(context)
      const channel = (await listAlertChannels(instance)).find((one) => one.name === name)
      if (channel === undefined)
        throw new CommandError(`There is no alert channel ${name}.`, '"gatehouse alert-channel list" shows them.')
      await withPanelRefusals(instance.change((change) => removeAlertChannel(change, change.actor, channel.id)))
      context.output.out(`The alert channel ${name} is removed.`)
    },
  }),
]
