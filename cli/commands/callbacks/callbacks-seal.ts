import { callbackAddresses } from '#server/store/callbacks/callback-credentials.ts'
import { sealClearAddresses } from '#server/store/callbacks/clear-text-addresses.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { command } from '../../kit/command.ts'
import { openInstance } from '../../kit/instance.ts'

export const sealCallbacks = command({
  name: 'callbacks seal',
  changes: true,
  summary: 'Encrypts user names and passwords in callback addresses that an earlier release stored in clear text.',
  details:
    'Run it once after an upgrade, when all processes of the earlier release have stopped. It can be interrupted and run again.\n' +
    'Audit log entries cannot be changed; if credentials appear there, change them at the receiver.',
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
    context.output.out(
      sealed === 0 ? 'No callback address has credentials in clear text.' : `Encrypted addresses: ${sealed}.`,
    )
  },
})
