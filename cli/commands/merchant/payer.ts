/** Erases the stored data of a payer. Chapter 50 §5, "Retention". */
import { type Erasure, erasePayer, isEmptyErasure, resolveDryRun } from '#server/panel/payments/erasure.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { type Output, printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { argument, flag, value } from '../../kit/options.ts'
import { withPanelRefusals } from '../../kit/panel-refusal.ts'
import * as readers from '../../kit/readers.ts'
import { record, table } from '../../kit/table.ts'

export const payerCommands: readonly Command[] = [
  command({
    name: 'payer erase',
    changes: true,
    summary: 'Erases a payer’s personal data at a merchant; amounts and transactions stay.',
    details:
      'Identify the payer by --email, or by the --card-token of a saved card. Names, addresses, card numbers, saved cards and callbacks\n' +
      'are erased; amounts, transactions and the masked card stay. Data that a running payment, hold, plan or callback still needs is\n' +
      'listed and not erased: run the command again later. Signed requests of the merchant on an erased payment are refused afterwards.',
    args: { merchant: argument('MERCHANT', readers.nonEmpty) },
    options: {
      email: value('EMAIL', 'The payer’s e-mail address.', readers.email),
      cardToken: value('TOKEN', 'A saved card of the payer.', readers.nonEmpty),
      dryRun: flag('Shows what would be erased without erasing it.'),
      json: flag('Prints JSON.'),
    },
    examples: [
      'gatehouse payer erase shop --email jane@example.com --dry-run',
      'gatehouse payer erase shop --email jane@example.com',
    ],
    async run(context, { merchant }, { email, cardToken, dryRun = false, json }) {
      const payer = payerOf(email, cardToken)
      await using instance = await openInstance(context)
      const { id: merchantId } = await requireMerchant(instance.pool, merchant)
      const wish = { merchantId, payer, dryRun }
      const erasure = await withPanelRefusals(
        resolveDryRun(
          instance.change(async (change) => requireStoredData(await erasePayer(change, change.actor, wish), merchant)),
        ),
      )
      requireStoredData(erasure, merchant)
      if (json) printJson(context.output, erasure)
      else print(context.output, erasure, dryRun)
    },
  }),
]

/** A mistyped address must not look like a successful erasure. */
function requireStoredData(erasure: Erasure, merchant: string): Erasure {
  if (!isEmptyErasure(erasure)) return erasure
  throw new CommandError(
    `${merchant} has no stored data of this payer.`,
    `Check the spelling. If the payer was erased before, the audit log has the entry as payer ${erasure.reference}.`,
  )
}

function payerOf(email: string | undefined, cardToken: string | undefined) {
  if (email !== undefined && cardToken === undefined) return { kind: 'email', email } as const
  if (cardToken !== undefined && email === undefined) return { kind: 'card', cardToken } as const
  throw new UsageError('--email or --card-token is missing.', 'Give one of them.')
}

function print(output: Output, { reference, kept, ...counts }: Erasure, dryRun: boolean): void {
  output.out(dryRun ? 'Would be erased:' : 'Erased:')
  output.out(
    record([
      ['payments', counts.payments],
      ['callbacks', counts.callbacks],
      ['sessions', counts.sessions],
      ['card numbers', counts.cards],
      ['saved cards', counts.savedCards],
      ['saved filters', counts.savedFilters],
      ['in the audit log as', `payer ${reference}`],
    ]),
  )
  if (kept.length === 0) return
  output.out('Kept:')
  output.out(
    table(
      ['what', 'id', 'reason'],
      kept.map(({ what, id, reason }) => [what, id, reason]),
    ),
  )
}
