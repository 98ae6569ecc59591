/** The task list for setting up a merchant through the platform. Chapter 40 §2, through the platform, step 2. */
import type { WalletRecordKey } from '#server/contracts/wallet-records.ts'
import { walletAudit } from '#server/panel/setup/wallets.ts'
import { walletSettingsStore } from '#server/store/wallets/wallet-settings.ts'
import { manualRegistrar, type Registrar, sandboxRegistrar } from '#server/wallets/accounts/registrar.ts'
import { askProvider, completeTask, storeRegistration } from '#server/wallets/setup/wallet-registration.ts'
import { listPlatformTasks, type PlatformTask, taskNames } from '#server/wallets/setup/wallet-tasks.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import type { CommandContext } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { argument, text } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { findSandboxUrl } from '../../kit/sandbox.ts'
import { table } from '../../kit/table.ts'
import { recordOptions, requireEntered, requireRecordKey, walletContext } from './wallet-record-key.ts'

const merchant = argument('MERCHANT', readers.nonEmpty)
const { side } = recordOptions

export const walletTaskCommands: readonly Command[] = [
  command({
    name: 'wallet platform tasks',
    summary: 'Shows completed and open tasks for a merchant in the platform setup.',
    args: { merchant },
    options: { side },
    async run(context, args, options) {
      await using instance = await openInstance(context)
      const recordKey = await requireRecordKey(instance, args.merchant, options)
      const tasks = await listPlatformTasks(instance.pool, recordKey, instance.clock.now())
      if (tasks === null)
        throw new CommandError(
          `${args.merchant} is not in the platform setup.`,
          '"gatehouse wallet settings set MERCHANT --setup platform" moves it there.',
        )
      show(context, tasks)
    },
  }),

  command({
    name: 'wallet platform tick',
    changes: true,
    summary: 'Marks a task at the wallet provider as done: merchant, domains or confirm.',
    args: { task: argument('TASK', readers.oneOf(taskNames)), merchant },
    options: { side, identifier: text('ID', 'For the task merchant: the identifier assigned by the wallet provider.') },
    async run(context, args, { identifier, ...options }) {
      await using instance = await openInstance(context)
      const recordKey = await requireRecordKey(instance, args.merchant, options)
      const tick = { task: args.task, merchantIdentifier: identifier }
      const tasks = await instance.change(async (change) => {
        const ticked = requireEntered(await completeTask(walletContext(change), recordKey, tick), context.output.err)
        change.note({ ...walletAudit('wallet.tick-task', recordKey), after: tick })
        return ticked
      })
      show(context, tasks)
    },
  }),

  command({
    name: 'wallet platform register',
    changes: true,
    summary:
      'Registers a merchant and its domains with the sandbox’s wallet provider. On a live instance register them yourself, then use "wallet platform tick".',
    args: { merchant },
    options: { side },
    async run(context, args, options) {
      await using instance = await openInstance(context)
      const recordKey = await requireRecordKey(instance, args.merchant, options)
      const registrar = await chooseRegistrar(instance, recordKey)
      const registration = requireEntered(
        await askProvider(walletContext(instance), registrar, recordKey),
        context.output.err,
      )
      const tasks = await instance.change(async (change) => {
        const registered = requireEntered(
          await storeRegistration(walletContext(change), recordKey, registration),
          context.output.err,
        )
        change.note(walletAudit('wallet.register', recordKey))
        return registered
      })
      show(context, tasks)
    },
  }),
]

/**
 * The simulated wallet provider registers only merchants of the sandbox authority; a person registers the others with the real provider.
 */
async function chooseRegistrar({ config, pool }: Instance, recordKey: WalletRecordKey): Promise<Registrar> {
  const settings = await walletSettingsStore(pool).find(recordKey)
  const url = settings?.trustSource === 'sandbox authority' ? await findSandboxUrl(config) : null
  return url === null ? manualRegistrar : sandboxRegistrar(url)
}

function show({ output }: CommandContext, tasks: readonly PlatformTask[]): void {
  const rows = tasks.map(({ name, state, title, missing }) => [name, state, title, missing.join(', ')])
  output.out(table(['task', 'state', 'what', 'missing'], rows))
}
