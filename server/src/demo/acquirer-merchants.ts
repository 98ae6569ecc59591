/** For every running stand-in a demo merchant whose payments go over that acquirer alone, with either key. */
import { protocols } from '#domain/merchant.ts'
import type { SetupContext } from '../setup/context.ts'
import { createMerchant } from '../setup/merchants.ts'
import { changeCredentials, createMid, linkMerchant } from '../setup/mids.ts'
import { merchantStore } from '../store/configuration/merchants.ts'
import { midStore } from '../store/configuration/mids.ts'
import { protocolMappingStore } from '../store/configuration/protocol-mappings.ts'
import type { RunningStandIn } from './acquirer-stand-ins.ts'
import { readCredentialsOfMerchants } from './demo-data.ts'
import { demoOptions, everything, modes } from './demo-tables.ts'
import { sendCallbacksToShop } from './shop.ts'

const merchantName = (connector: string): string => `demo-${connector}`

export async function ensureAcquirerMerchants(
  context: SetupContext,
  standIns: readonly RunningStandIn[],
  sandboxUrl: string,
): Promise<void> {
  for (const standIn of standIns) {
    const midIds = await ensureMids(context, standIn)
    await ensureMerchant(context, standIn.connector, midIds)
    await sendCallbacksToShop(context, merchantName(standIn.connector), sandboxUrl)
  }
}

/** Its address and keys are those of this start: the folder of a stand-in may have been removed. */
async function ensureMids(
  context: SetupContext,
  { connector, credentials }: RunningStandIn,
): Promise<readonly string[]> {
  const rows = await midStore(context.pool).list()
  const ids: string[] = []
  for (const mode of modes) {
    const name = `${connector}-${mode}`
    const known = rows.find((row) => row.name === name)
    if (known) await changeCredentials(context, known.id, credentials[mode])
    const settings = { ...everything, wallets: [], name, connector, mode }
    ids.push(known?.id ?? (await createMid(context, settings, credentials[mode])).id)
  }
  return ids
}

async function ensureMerchant(context: SetupContext, connector: string, midIds: readonly string[]): Promise<void> {
  const name = merchantName(connector)
  if ((await merchantStore(context.pool).list()).some((row) => row.name === name)) return
  // The acquirer authenticates the payer by itself.
  const { merchant } = await createMerchant(context, { name, title: `Pays over ${connector}`, mpiService: 'none' })
  for (const protocol of protocols)
    await protocolMappingStore(context.pool).put({
      merchantId: merchant.id,
      protocol,
      enabled: true,
      options: demoOptions(protocol),
    })
  for (const midId of midIds) await linkMerchant(context, { merchantId: merchant.id, midId, priority: 10 })
}

/** For `demo.json`. */
export async function createAcquirerCredentials(context: SetupContext, standIns: readonly RunningStandIn[]) {
  const merchants = await readCredentialsOfMerchants(
    context,
    standIns.map(({ connector }) => merchantName(connector)),
  )
  return standIns.flatMap(({ connector, url, credentials, disputesUrl }) =>
    merchants
      .filter(({ name }) => name === merchantName(connector))
      .map(({ name, key, test_key, password }) => ({
        connector,
        merchant: name,
        key,
        test_key,
        password,
        ledger_url: `${url}/ledger`,
        disputes_url: disputesUrl,
        // For a MID that an operator creates by hand; the stand-in has no dashboard that would show them.
        mid_credentials: credentials,
        notification_settings_url: {
          live: `${url}/accounts/live/notifications`,
          test: `${url}/accounts/test/notifications`,
        },
      })),
  )
}
