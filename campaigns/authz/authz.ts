/**
 * Calls every endpoint of the panel in every role, and sends every merchant request that names something, with the ids of another tenant.
 * docs/operations/panel-access.md, written by hand, says what the panel should allow.
 */
import { type Campaign, type Findings, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { tryForeignIds } from './authz-merchants.ts'
import { tryPanel } from './authz-panel.ts'
import { openAuthzScene } from './authz-scene.ts'

export const authz: Campaign = {
  name: 'authz',
  asserts:
    'every endpoint × every role × another tenant’s ids, and merchants’ requests: no data is disclosed or changed.',
  sizes: { roles: 100 },
  quick: { roles: 2 },
  run,
  plantedFault: {
    what: 'The panel lets every role that may read payments void them.',
    seenIn: 'wrongly allowed',
    sizes: { roles: 4 },
    patches: [
      {
        file: 'server/src/protocols/admin/api/endpoints/payments/payment-commands.ts',
        find: "summary: 'Voids a payment of the same financial day.',\n    access: 'payments.refund'",
        replace: "summary: 'Voids a payment of the same financial day.',\n    access: 'payments.read'",
      },
    ],
  },
}

async function run(terms: Terms): Promise<Findings> {
  await using scene = await openAuthzScene()
  return joinFindings(await tryPanel(scene, sizeOf(terms, 'roles')), await tryForeignIds(scene))
}
