/** The data of a gateway on a stage: demo merchants, their MIDs, and their callback addresses. */
import { openProcessContext, type ProcessContext } from '#server/assembly/process-context.ts'
import { ensureAcquirerMerchants } from '#server/demo/acquirer-merchants.ts'
import type { RunningStandIn } from '#server/demo/acquirer-stand-ins.ts'
import { ensureDemoData, readCredentialsOfMerchants, readDemoCredentials } from '#server/demo/demo-data.ts'
import { createLog } from '#server/observe/log.ts'
import { readConfig } from '#server/process/config.ts'
import { loadConfiguration } from '#server/store/configuration/configuration.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { email, Merchant } from './merchant.ts'
import type { Receiver } from './receiver.ts'

/** Above any load of a campaign: the rate limit has its own tests. */
const ratePerSecond = 1_000_000

interface InstanceSetup {
  readonly folder: string
  readonly databaseUrl: string
  readonly sandboxUrl: string
  readonly receiver: Receiver
  /** Each gets a merchant that is routed to it alone. */
  readonly standIns?: readonly RunningStandIn[]
  /** Absent: held closed, so that an acquirer's faults reach the gateway every time. */
  readonly breakersWork?: boolean
  /** Absent: the default plan. */
  readonly callbackRetrySeconds?: readonly number[]
}

/** The demo merchants with their MIDs at the sandbox, and callbacks to the receiver. */
export async function setUpInstance({ receiver, ...setup }: InstanceSetup): Promise<ProcessContext> {
  const { folder, databaseUrl, sandboxUrl, callbackRetrySeconds, breakersWork = false, standIns = [] } = setup
  const config = readConfig('all', { DATA_DIR: folder, DATABASE_URL: databaseUrl, DATABASE_POOL: '4' })
  const base = await openProcessContext(config, databaseUrl, createLog({ level: 'error' }))
  await ensureDemoData(base, sandboxUrl)
  await ensureAcquirerMerchants(base, standIns, sandboxUrl)
  await base.pool.query('update merchants set notification_url = $1 || name, rate_per_second = $2', [
    receiver.urlOf(''),
    ratePerSecond,
  ])
  if (callbackRetrySeconds) {
    const chosen = JSON.stringify({ callbackRetrySeconds })
    await base.pool.query('update protocol_mappings set options = options || $1', [chosen])
  }
  if (breakersWork) return base
  await base.pool.query(
    "insert into mid_breakers (mid_id, state, since, probes, hand, version) select id, 'closed', now(), 0, 'closed', 1 from mids on conflict do nothing",
  )
  return base
}

/** Demo merchants without special settings that would affect a plain card payment. */
export const plainMerchants = ['demo', 'demo-no-wallet', 'demo-no-moto', 'demo-wallet-virtual']

export async function merchantsOf(
  base: ProcessContext,
  receiver: Receiver,
  names: readonly string[],
): Promise<readonly Merchant[]> {
  const credentials = await readCredentialsOfMerchants(base, names)
  const rows = await merchantStore(base.pool).list()
  const configuration = await loadConfiguration(base.pool, base.vault, base.log)
  return Promise.all(
    names.map(async (name) => {
      const own = credentials.find((one) => one.name === name)
      const row = rows.find((one) => one.name === name)
      if (!own || !row) throw new Error(`There is no merchant ${name}.`)
      const { webhookSecrets } = await configuration.readSecrets(row.id)
      const merchant = new Merchant({ id: row.id, name, key: own.key, password: own.password })
      receiver.setTrust(name, {
        password: own.password,
        webhookSecrets: webhookSecrets.map((secret) => secret.reveal()),
        email,
        pan10Of: (orderId) => merchant.pan10Of(orderId),
        isApm: (orderId) => merchant.isApm(orderId),
      })
      return merchant
    }),
  )
}

/** Every demo merchant by name; callbacks of those that do not pay are not verified. */
export async function readMerchantsByName(base: ProcessContext): Promise<ReadonlyMap<string, Merchant>> {
  const rows = await merchantStore(base.pool).list()
  const idOf = (name: string): string => rows.find((row) => row.name === name)?.id ?? ''
  const credentials = await readDemoCredentials(base)
  return new Map(
    credentials.map(({ name, key, password }) => [name, new Merchant({ id: idOf(name), name, key, password })]),
  )
}
