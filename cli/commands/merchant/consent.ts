/** Withdraws payers' consents to later payments. Chapter 30 §7.5. */
import { withdrawalNote } from '#server/panel/payments/consents.ts'
import { withdrawConsent } from '#server/setup/consent.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { openInstance } from '../../kit/instance.ts'
import { argument } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'

export const consentCommands: readonly Command[] = [
  command({
    name: 'consent withdraw',
    changes: true,
    summary: 'Withdraws a payer’s consent to later payments and ends the plan based on it.',
    details:
      'TRANS_ID is any payment of the chain. No callback is sent now; later callbacks contain consent_state=cancelled.',
    args: { payment: argument('TRANS_ID', readers.uuid) },
    options: {},
    examples: ['gatehouse consent withdraw 0198f7a1-5a0e-7c3e-9d55-0242ac1f0007'],
    async run(context, { payment }) {
      await using instance = await openInstance(context)
      const { consentId, endedPlans } = await instance.change(async (change) => {
        const withdrawal = await withdrawConsent(change, payment)
        if (!withdrawal.ok) throw new CommandError(withdrawal.fault, 'Nothing was changed.')
        change.note(withdrawalNote(payment, withdrawal))
        return withdrawal
      })
      const plan = endedPlans > 0 ? 'Its plan has ended.' : 'It had no running plan.'
      context.output.out(`The consent ${consentId} is withdrawn. ${plan}`)
    },
  }),
]
