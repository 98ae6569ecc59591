/** Creates MIDs and links merchants to them. */
import { type MerchantMapping, type Mid, midActions, noLimit } from '#domain/mid.ts'
import { secret } from '#domain/secret.ts'
import { merchantMappingStore, midStore } from '../store/configuration/mids.ts'
import { PLATFORM_SCOPE } from '../vault/port.ts'
import type { SetupContext } from './context.ts'

export type MidSettings = Pick<Mid, 'name' | 'connector' | 'mode'> &
  Partial<Omit<Mid, 'id' | 'name' | 'connector' | 'mode'>>

/** The caller has validated the credentials by the connector's schema. */
export async function createMid(context: SetupContext, wishes: MidSettings, credentials: object): Promise<Mid> {
  const mid: Mid = {
    enabled: true,
    paymentMode: 'SMS/DMS',
    currencies: [],
    networks: [],
    brands: [],
    cards: true,
    actions: midActions,
    wallets: [],
    payerFields: [],
    motoEnabled: false,
    cardOnFileEnabled: false,
    zeroAmount: false,
    cardFlow: false,
    acceptsDecrypted: false,
    overrideLinkTarget: null,
    descriptor: '',
    dayLimit: noLimit,
    monthLimit: noLimit,
    cutOff: '00:00',
    timeZone: 'UTC',
    autoCaptureHours: null,
    ...wishes,
    id: context.ids.next(),
  }
  const credentialsSealed = await sealCredentials(context, credentials)
  await midStore(context.pool).add({ ...mid, credentialsSealed }, context.clock.now())
  return mid
}

export async function changeCredentials(context: SetupContext, midId: string, credentials: object): Promise<void> {
  await midStore(context.pool).changeCredentials(midId, await sealCredentials(context, credentials))
}

type MappingFields = Pick<MerchantMapping, 'merchantId' | 'midId'> & Partial<Omit<MerchantMapping, 'id'>>

export async function linkMerchant({ pool, ids }: SetupContext, wishes: MappingFields): Promise<MerchantMapping> {
  const mapping: MerchantMapping = {
    channel: null,
    priority: 100,
    weight: 1,
    dayLimit: noLimit,
    weekLimit: noLimit,
    enabled: true,
    ...wishes,
    id: ids.next(),
  }
  await merchantMappingStore(pool).put(mapping)
  return mapping
}

const sealCredentials = ({ vault }: SetupContext, credentials: object): Promise<Buffer> =>
  vault.seal(PLATFORM_SCOPE, 'credentials', secret(JSON.stringify(credentials)))
