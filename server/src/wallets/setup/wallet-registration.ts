/** Working through the task list of the platform setup: by hand, or through whoever registers merchants at the maker. Chapter 40 §2. */
import type { WalletPlace } from '../../contracts/wallet-records.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { walletDomainStore } from '../../store/wallets/wallet-domains.ts'
import { factsOf } from '../accounts/facts.ts'
import type { Registrar, Registration } from '../accounts/registrar.ts'
import { note } from '../accounts/rotation.ts'
import type { StateFacts } from '../accounts/state.ts'
import { blank, done, type Entered, refused, type WalletDesk } from './wallet-desk.ts'
import { type PlatformTask, platformTasks, type TaskName, tasksOf } from './wallet-tasks.ts'
import { saveWallet } from './wallets.ts'

interface Tick {
  readonly task: TaskName
  /** For `merchant`: what the maker assigned. */
  readonly merchantIdentifier?: string | undefined
}

type Listed = Entered<readonly PlatformTask[]>

/** The operator did it himself. */
export async function tickTask(desk: WalletDesk, place: WalletPlace, tick: Tick): Promise<Listed> {
  const { task: name, merchantIdentifier } = tick
  const tasks = await platformTasks(desk.pool, place, desk.clock.now())
  if (tasks === null) return refused(notPlatform)
  const waiting = tasks.find((task) => task.name === name)?.state === 'waiting'
  if (waiting) return refused({ field: 'task', text: 'Complete the earlier task first.' })
  switch (name) {
    case 'merchant':
      if (merchantIdentifier === undefined) return refused({ field: 'merchant_identifier', text: blank })
      return listed(desk, place, await saveWallet(desk, place, { merchantIdentifier }))
    case 'domains':
      return listed(desk, place, await registeredDomains(desk, place))
    case 'confirm':
      return listed(desk, place, await saveWallet(desk, place, { enabled: true }))
    case 'details':
    case 'platform':
    case 'files':
      return refused({ field: 'task', text: 'This task is completed automatically when nothing is missing.' })
  }
}

/** Registers merchant and domains at the maker, and ticks both off. */
export async function registerAtMaker(desk: WalletDesk, registrar: Registrar, place: WalletPlace): Promise<Listed> {
  const asked = await askMaker(desk, registrar, place)
  return asked.ok ? keepRegistration(desk, place, asked.value) : asked
}

/** Outside of any transaction: the maker may take its time, and registering once more changes nothing there. */
export async function askMaker(
  desk: WalletDesk,
  registrar: Registrar,
  place: WalletPlace,
): Promise<Entered<Registration>> {
  const facts = await factsOf(desk.pool, place, desk.clock.now())
  if (facts?.settings.setup !== 'platform') return refused(notPlatform)
  const lacking = tasksOf(facts).find(({ name }) => name === 'details')?.missing ?? []
  if (lacking.length > 0) return refused({ field: 'details', text: `Still missing: ${lacking.join(', ')}.` })
  const registration = await registrationOf(desk, facts)
  if (registration === null) return refused({ field: 'platform', text: 'The platform record is not set up.' })
  const answer = await registrar.register(registration)
  if (answer === 'by hand')
    return refused({
      field: 'registration',
      text: 'Register the merchant with the wallet provider, then mark "merchant" and "domains" as done.',
    })
  if (answer !== 'registered')
    return refused({ field: 'registration', text: `The wallet provider refused the registration: ${answer.fault}` })
  return done(registration)
}

export async function keepRegistration(
  desk: WalletDesk,
  place: WalletPlace,
  { merchantIdentifier }: Registration,
): Promise<Listed> {
  const saved = await saveWallet(desk, place, { merchantIdentifier })
  return saved.ok ? listed(desk, place, await registeredDomains(desk, place)) : saved
}

const notPlatform = { field: 'setup', text: 'The merchant does not use the platform setup.' }

async function listed(desk: WalletDesk, place: WalletPlace, entered: Entered<unknown>): Promise<Listed> {
  if (!entered.ok) return entered
  return done((await platformTasks(desk.pool, place, desk.clock.now())) ?? [], entered.notes)
}

/** What was assigned once stays; a first one is made of the platform's, so that it says where it belongs. */
async function registrationOf({ pool }: WalletDesk, facts: StateFacts): Promise<Registration | null> {
  const { settings, platform, domains } = facts
  const { merchantId, mode, wallet, fields } = settings
  const own = platform?.fields.merchantIdentifier
  if (own === undefined) return null
  return {
    merchantIdentifier: fields.merchantIdentifier ?? `${own}.${merchantId}.${mode}`,
    displayName: fields.shopName ?? '',
    country: fields.country ?? '',
    domains: domains.map(({ domain }) => domain),
    platform: { merchantIdentifier: own, domains: await walletDomainStore(pool).ofPlatform(wallet) },
  }
}

/** Registered means: the maker has been told of it and has found the file, or will. */
function registeredDomains(desk: WalletDesk, { merchantId, wallet, mode }: WalletPlace): Promise<Entered<null>> {
  return inTransaction(desk.pool, async (client) => {
    const store = walletDomainStore(client)
    await store.lockMerchant(merchantId)
    const open = (await store.list(merchantId, wallet)).filter(({ verifiedAtMaker }) => verifiedAtMaker === null)
    for (const domain of open) await store.put({ ...domain, verifiedAtMaker: desk.clock.now() })
    await note(
      desk,
      client,
      { merchantId, mode, wallet },
      desk.byUser,
      'Domains were registered with the wallet provider.',
      {
        domains: open.map(({ domain }) => domain),
      },
    )
    return done(null)
  })
}
