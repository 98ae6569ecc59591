/** New secrets for a merchant, with time for its programs to change over. Chapter 10 §4.3 (password rotation), §11.1. */
import type { Secret } from '#domain/secret.ts'
import { about } from '#server/admin/merchants.ts'
import { newWebhookSecret, replaceWebhookSecrets, rotatePassword } from '#server/administration/merchants.ts'
import { openSecrets } from '#server/store/configuration.ts'
import type { MerchantRow } from '#server/store/merchants.ts'
import type { ChangeDesk } from '../kit/change.ts'
import { command } from '../kit/command.ts'
import { CommandError, UsageError } from '../kit/command-error.ts'
import { type Context, printJson } from '../kit/context.ts'
import { openInstance } from '../kit/instance.ts'
import { lockedMerchant } from '../kit/named.ts'
import { argument, flag, value } from '../kit/options.ts'
import * as readers from '../kit/readers.ts'
import { record, type Shown } from '../kit/table.ts'

const usualOverlapMs = 24 * 3_600_000

export const rotateMerchant = command({
  name: 'merchant rotate',
  changes: true,
  summary: 'Gives a merchant a new password or webhook secret.',
  details:
    'A new password signs callbacks at once, and the old one verifies requests until the end of the overlap. A new webhook\n' +
    'secret signs beside the older ones; once the merchant verifies with it, --drop-old removes those and adds none.',
  args: { name: argument('NAME', readers.nonEmpty) },
  options: {
    password: flag('Rotates the password; this is what happens without a choice.'),
    webhookSecret: flag('Adds a webhook secret.'),
    overlap: value(
      'TIME',
      'How long the old password is good; 24h unless given, 0s for not at all.',
      readers.duration(365),
    ),
    dropOld: flag('With --webhook-secret: keeps the newest secret alone.'),
    json: flag('Prints JSON.'),
  },
  examples: [
    'gatehouse merchant rotate acme --overlap 48h',
    'gatehouse merchant rotate acme --webhook-secret --drop-old',
  ],
  async run(context, { name }, { password, webhookSecret, overlap, dropOld, json }) {
    if (dropOld && !webhookSecret)
      throw new UsageError('--drop-old goes with --webhook-secret.', 'An old password ends with its overlap.')
    if (overlap !== undefined && webhookSecret && !password) {
      throw new UsageError('--overlap goes with --password.', 'Webhook secrets stay until --drop-old.')
    }
    await using instance = await openInstance(context)
    const fields = await instance.change(async (desk) => {
      const merchant = await lockedMerchant(desk.pool, name)
      const active = webhookSecret ? await activeSecrets(desk, merchant, dropOld ?? false) : []
      return [
        ...(password || !webhookSecret ? await rotatedPassword(desk, merchant, overlap ?? usualOverlapMs) : []),
        ...(webhookSecret ? await rotatedSecrets(desk, merchant, active, dropOld ?? false) : []),
      ]
    })
    show(context, fields, json ?? false)
  },
})

type Fields = readonly (readonly [string, Shown])[]

async function rotatedPassword(desk: ChangeDesk, { id }: MerchantRow, overlapMs: number): Promise<Fields> {
  const until = new Date(desk.clock.now().getTime() + overlapMs)
  const password = await rotatePassword(desk, id, until)
  desk.note({ ...about('merchant.rotate-password', id), after: { oldUntil: until } })
  return [
    ['password', password.reveal()],
    ['old_password_until', until],
  ]
}

/** Behind the lock: the panel may have added one, which somebody was shown. */
async function activeSecrets(
  { vault }: ChangeDesk,
  merchant: MerchantRow,
  dropOld: boolean,
): Promise<readonly Secret<string>[]> {
  const { name } = merchant
  const { webhookSecrets: active } = await openSecrets(vault, merchant)
  if (dropOld && active.length < 2) {
    throw new CommandError(
      `The merchant "${name}" has one webhook secret, and needs it.`,
      'Add the new one first: "gatehouse merchant rotate NAME --webhook-secret".',
    )
  }
  return active
}

async function rotatedSecrets(
  desk: ChangeDesk,
  { id }: MerchantRow,
  active: readonly Secret<string>[],
  dropOld: boolean,
): Promise<Fields> {
  const secrets = dropOld ? active.slice(-1) : [...active, newWebhookSecret(desk.ids)]
  await replaceWebhookSecrets(desk, id, secrets)
  if (dropOld) desk.note({ ...about('merchant.drop-webhook-secrets', id), after: { dropped: active.length - 1 } })
  else desk.note(about('merchant.add-webhook-secret', id))
  const newest = secrets.at(-1)
  return [
    ...(dropOld || !newest ? [] : ([['webhook_secret', newest.reveal()]] as const)),
    ['active_webhook_secrets', secrets.length],
  ]
}

function show({ output }: Context, fields: Fields, asJson: boolean): void {
  if (asJson) printJson(output, Object.fromEntries(fields))
  else output.out(record(fields))
}
