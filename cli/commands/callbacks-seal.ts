import { callbackAddresses } from '#server/store/callback-credentials.ts'
import { sealClearAddresses } from '#server/store/clear-addresses.ts'
import { merchantStore } from '#server/store/merchants.ts'
import { command } from '../kit/command.ts'
import { openInstance } from '../kit/instance.ts'

export const sealCallbacks = command({
  name: 'callbacks seal',
  changes: true,
  summary: 'Seals name and password of callback addresses that an earlier release stored in clear text.',
  details:
    'Run it once after an upgrade, when no process of the earlier release runs any more. It may be interrupted and started again.\n' +
    'Entries of the audit log cannot be changed; credentials that stand there are best replaced at the receiver.',
  args: {},
  options: {},
  async run(context) {
    await using instance = await openInstance(context)
    const { vault, clock } = instance
    const entry = { action: 'callback-url.seal', subject: 'callback-url', merchantId: null }
    const sealed = await instance.changeInSteps(entry, async (pool) => {
      const merchants = await merchantStore(pool).list()
      const addresses = callbackAddresses({ pool, vault, clock })
      return sealClearAddresses(
        pool,
        addresses,
        merchants.map(({ id }) => id),
      )
    })
    context.output.out(sealed === 0 ? 'No address holds credentials in clear text.' : `Sealed addresses: ${sealed}.`)
  },
})
