/** Publishes routing rules for tests, as the panel would, and updates the configuration at once. */
import { routingCapabilities } from '#server/connectors/acquirers.ts'
import { readRules } from '#server/setup/routing.ts'
import { routingStore } from '#server/store/configuration/routing-rules.ts'
import type { Shop } from './shop.ts'

/** For one merchant by its name, or with null for all merchants. */
export async function publishRules(shop: Shop, merchant: string | null, ...rules: readonly object[]): Promise<void> {
  const { pool, ids, clock } = shop.base
  const reading = readRules(rules, { ...shop.service.configuration, capabilities: routingCapabilities })
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults))
  const key = merchant === null ? null : shop.merchant(merchant).key
  const merchantId = key === null ? null : (shop.service.configuration.byKey(key)?.merchant.id ?? null)
  const by = 'a test'
  await routingStore(pool).publish({
    id: ids.next(),
    merchantId,
    rules: reading.rules,
    note: '',
    restores: null,
    draftedBy: by,
    publishedBy: by,
    publishedAt: clock.now(),
  })
  await shop.service.configuration.refresh()
}
