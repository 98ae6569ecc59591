/** Rotates the secrets of a merchant, with an overlap in which the old ones still work. Chapter 10 §4.3 (password rotation), §11.1. */

import type { Secret } from '#domain/secret.ts'
import { dayMs } from '#domain/time.ts'
import { merchantAudit } from '#server/panel/setup/merchants.ts'
import { newWebhookSecret, replaceWebhookSecrets, rotatePassword } from '#server/setup/merchants.ts'
import { openSecrets } from '#server/store/configuration/configuration.ts'
import type { MerchantRow } from '#server/store/configuration/merchants.ts'
import type { ChangeContext } from '../../kit/change.ts'
import { command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { lockMerchant } from '../../kit/named.ts'
import { argument, flag, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { type CellValue, record } from '../../kit/table.ts'

const usualOverlapMs = dayMs

export const rotateMerchant = command({
  name: 'merchant rotate',
  changes: true,
  summary: 'Creates a new password or webhook secret for a merchant.',
  details:
    'A new password signs callbacks at once; the old one stays valid for requests until the overlap ends. A new webhook secret\n' +
    'signs in addition to the older ones; once the merchant verifies with it, run --drop-old to remove the older ones.',
  args: { name: argument('NAME', readers.nonEmpty) },
  options: {
    password: flag('Rotates the password (default).'),
    webhookSecret: flag('Adds a webhook secret.'),
    overlap: value(
      'TIME',
      'How long the old password stays valid; default 24h, 0s to end it at once.',
      readers.duration(365),
    ),
    dropOld: flag('With --webhook-secret: removes all secrets except the newest.'),
    json: flag('Prints JSON.'),
  },
  examples: [
    'gatehouse merchant rotate acme --overlap 48h',
    'gatehouse merchant rotate acme --webhook-secret --drop-old',
  ],
  async run(context, { name }, { password, webhookSecret, overlap, dropOld, json }) {
    if (dropOld && !webhookSecret)
      throw new UsageError('--drop-old requires --webhook-secret.', 'An old password expires when its overlap ends.')
    if (overlap !== undefined && webhookSecret && !password) {
      throw new UsageError('--overlap requires --password.', 'Webhook secrets stay valid until --drop-old.')
    }
    await using instance = await openInstance(context)
    const fields = await instance.change(async (change) => {
      const merchant = await lockMerchant(change.pool, name)
      const active = webhookSecret ? await listActiveSecrets(change, merchant, dropOld ?? false) : []
      return [
        ...(password || !webhookSecret ? await changePassword(change, merchant, overlap ?? usualOverlapMs) : []),
        ...(webhookSecret ? await rotateSecrets(change, merchant, active, dropOld ?? false) : []),
      ]
    })
    show(context, fields, json ?? false)
  },
})

type Fields = readonly (readonly [string, CellValue])[]

async function changePassword(change: ChangeContext, { id }: MerchantRow, overlapMs: number): Promise<Fields> {
  const until = new Date(change.clock.now().getTime() + overlapMs)
  const password = await rotatePassword(change, id, until)
  change.note({ ...merchantAudit('merchant.rotate-password', id), after: { oldUntil: until } })
  return [
    ['password', password.reveal()],
    ['old_password_until', until],
  ]
}

/** Reads behind the lock: the panel may have added a secret meanwhile, and a person may already be using it. */
async function listActiveSecrets(
  { vault }: ChangeContext,
  merchant: MerchantRow,
  dropOld: boolean,
): Promise<readonly Secret<string>[]> {
  const { name } = merchant
  const { webhookSecrets: active } = await openSecrets(vault, merchant)
  if (dropOld && active.length < 2) {
    throw new CommandError(
      `The merchant "${name}" has only one webhook secret.`,
      'Add the new one first: "gatehouse merchant rotate NAME --webhook-secret".',
    )
  }
  return active
}

async function rotateSecrets(
  change: ChangeContext,
  { id }: MerchantRow,
  active: readonly Secret<string>[],
  dropOld: boolean,
): Promise<Fields> {
  const secrets = dropOld ? active.slice(-1) : [...active, newWebhookSecret(change.ids)]
  await replaceWebhookSecrets(change, id, secrets)
  if (dropOld)
    change.note({ ...merchantAudit('merchant.drop-webhook-secrets', id), after: { dropped: active.length - 1 } })
  else change.note(merchantAudit('merchant.add-webhook-secret', id))
  const newest = secrets.at(-1)
  return [
    ...(dropOld || !newest ? [] : ([['webhook_secret', newest.reveal()]] as const)),
    ['active_webhook_secrets', secrets.length],
  ]
}

function show({ output }: CommandContext, fields: Fields, asJson: boolean): void {
  if (asJson) printJson(output, Object.fromEntries(fields))
  else output.out(record(fields))
}
