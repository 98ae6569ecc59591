/** Works through the task list of the platform setup: by hand, or through a registrar at the wallet provider. Chapter 40 §2. */
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { walletDomainStore } from '../../store/wallets/wallet-domains.ts'
import { readWalletState } from '../accounts/facts.ts'
import type { Registrar, Registration } from '../accounts/registrar.ts'
import { note } from '../accounts/rotation.ts'
import type { WalletStateData } from '../accounts/state.ts'
import { acceptEntry, blank, type EntryResult, refuseEntry, type WalletSetupContext } from './context.ts'
import { listPlatformTasks, type PlatformTask, type TaskName, tasksOf } from './wallet-tasks.ts'
import { saveWallet } from './wallets.ts'

interface TaskDone {
  readonly task: TaskName
  /** For `merchant`: the identifier that the wallet provider assigned. */
  readonly merchantIdentifier?: string | undefined
}

type TaskList = EntryResult<readonly PlatformTask[]>

/** The operator has done the task. */
export async function completeTask(
  context: WalletSetupContext,
  recordKey: WalletRecordKey,
  tick: TaskDone,
): Promise<TaskList> {
  const { task: name, merchantIdentifier } = tick
  const tasks = await listPlatformTasks(context.pool, recordKey, context.clock.now())
  if (tasks === null) return refuseEntry(notPlatform)
  const waiting = tasks.find((task) => task.name === name)?.state === 'waiting'
  if (waiting) return refuseEntry({ field: 'task', text: 'Complete the earlier task first.' })
  switch (name) {
    case 'merchant':
      if (merchantIdentifier === undefined) return refuseEntry({ field: 'merchant_identifier', text: blank })
      return withTasks(context, recordKey, await saveWallet(context, recordKey, { merchantIdentifier }))
    case 'domains':
      return withTasks(context, recordKey, await markDomainsRegistered(context, recordKey))
    case 'confirm':
      return withTasks(context, recordKey, await saveWallet(context, recordKey, { enabled: true }))
    case 'details':
    case 'platform':
    case 'files':
      return refuseEntry({ field: 'task', text: 'This task is completed automatically when nothing is missing.' })
  }
}

/** Registers merchant and domains at the wallet provider and marks both tasks as done. */
export async function registerAtProvider(
  context: WalletSetupContext,
  registrar: Registrar,
  recordKey: WalletRecordKey,
): Promise<TaskList> {
  const registration = await askProvider(context, registrar, recordKey)
  return registration.ok ? storeRegistration(context, recordKey, registration.value) : registration
}

/** Call outside of any transaction: the wallet provider may be slow, and a repeated registration changes nothing there. */
export async function askProvider(
  context: WalletSetupContext,
  registrar: Registrar,
  recordKey: WalletRecordKey,
): Promise<EntryResult<Registration>> {
  const facts = await readWalletState(context.pool, recordKey, context.clock.now())
  if (facts?.settings.setup !== 'platform') return refuseEntry(notPlatform)
  const lacking = tasksOf(facts).find(({ name }) => name === 'details')?.missing ?? []
  if (lacking.length > 0) return refuseEntry({ field: 'details', text: `Still missing: ${lacking.join(', ')}.` })
  const registration = await readRegistration(context, facts)
  if (registration === null) return refuseEntry({ field: 'platform', text: 'The platform record is not set up.' })
  const answer = await registrar.register(registration)
  if (answer === 'by hand')
    return refuseEntry({
      field: 'registration',
      text: 'Register the merchant with the wallet provider, then mark "merchant" and "domains" as done.',
    })
  if (answer !== 'registered')
    return refuseEntry({ field: 'registration', text: `The wallet provider refused the registration: ${answer.fault}` })
  return acceptEntry(registration)
}

export async function storeRegistration(
  context: WalletSetupContext,
  recordKey: WalletRecordKey,
  { merchantIdentifier }: Registration,
): Promise<TaskList> {
  const saved = await saveWallet(context, recordKey, { merchantIdentifier })
  return saved.ok ? withTasks(context, recordKey, await markDomainsRegistered(context, recordKey)) : saved
}

const notPlatform = { field: 'setup', text: 'The merchant does not use the platform setup.' }

async function withTasks(
  context: WalletSetupContext,
  recordKey: WalletRecordKey,
  entered: EntryResult<unknown>,
): Promise<TaskList> {
  if (!entered.ok) return entered
  return acceptEntry((await listPlatformTasks(context.pool, recordKey, context.clock.now())) ?? [], entered.notes)
}

/** An assigned identifier stays; a first one is derived from the platform's, so that it shows where it belongs. */
async function readRegistration({ pool }: WalletSetupContext, facts: WalletStateData): Promise<Registration | null> {
  const { settings, platform, domains } = facts
  const { merchantId, mode, wallet, fields } = settings
  const own = platform?.fields.merchantIdentifier
  if (own === undefined) return null
  return {
    merchantIdentifier: fields.merchantIdentifier ?? `${own}.${merchantId}.${mode}`,
    displayName: fields.shopName ?? '',
    country: fields.country ?? '',
    domains: domains.map(({ domain }) => domain),
    platform: { merchantIdentifier: own, domains: await walletDomainStore(pool).listOfPlatform(wallet) },
  }
}

/** Registered means that the wallet provider knows the domain and has found its file, or will. */
function markDomainsRegistered(
  context: WalletSetupContext,
  { merchantId, wallet, mode }: WalletRecordKey,
): Promise<EntryResult<null>> {
  return inTransaction(context.pool, async (client) => {
    const store = walletDomainStore(client)
    await store.lockMerchant(merchantId)
    const open = (await store.list(merchantId, wallet)).filter(({ verifiedAtMaker }) => verifiedAtMaker === null)
    for (const domain of open) await store.put({ ...domain, verifiedAtMaker: context.clock.now() })
    await note(
      context,
      client,
      { merchantId, mode, wallet },
      {
        byUser: context.byUser,
        what: 'Domains were registered with the wallet provider.',
        details: { domains: open.map(({ domain }) => domain) },
      },
    )
    return acceptEntry(null)
  })
}
