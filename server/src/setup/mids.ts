/** Creates MIDs and links merchants to them. */
import { type MerchantMapping, type Mid, midActions, noLimit } from '#domain/mid.ts'
import { secret } from '#domain/secret.ts'
import { merchantMappingStore, midStore } from '../store/configuration/mids.ts'
import { PLATFORM_SCOPE } from '../vault/port.ts'
import type { Office } from './merchants.ts'

export type MidSettings = Pick<Mid, 'name' | 'connector' | 'mode'> &
  Partial<Omit<Mid, 'id' | 'name' | 'connector' | 'mode'>>

/** The caller has validated the credentials by the connector's schema. */
export async function createMid(office: Office, wishes: MidSettings, credentials: object): Promise<Mid> {
  const mid: Mid = {
    enabled: true,
    paymentMode: 'SMS/DMS',
    currencies: [],
    networks: [],
    brands: [],
    cards: true,
    actions: midActions,
    wallets: [],
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
    id: office.ids.next(),
  }
  const credentialsSealed = await sealCredentials(office, credentials)
  await midStore(office.pool).add({ ...mid, credentialsSealed }, office.clock.now())
  return mid
}

export async function changeCredentials(office: Office, midId: string, credentials: object): Promise<void> {
  await midStore(office.pool).changeCredentials(midId, await sealCredentials(office, credentials))
}

type MappingFields = Pick<MerchantMapping, 'merchantId' | 'midId'> & Partial<Omit<MerchantMapping, 'id'>>

export async function linkMerchant({ pool, ids }: Office, wishes: MappingFields): Promise<MerchantMapping> {
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

const sealCredentials = ({ vault }: Office, credentials: object): Promise<Buffer> =>
  vault.seal(PLATFORM_SCOPE, 'credentials', secret(JSON.stringify(credentials)))
