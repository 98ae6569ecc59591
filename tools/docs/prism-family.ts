/** What each acquirer of the family prism can do, as a table. Chapter 60 §1.2. */

import { acquirerRows } from '#server/connectors/prism/table/acquirers.ts'
import type { AcquirerRow, PrismAbility } from '#server/connectors/prism/table/row.ts'
import { connectorById } from '#server/connectors/registry.ts'
import { code, table } from './markdown.ts'

export function prismCapabilityTable(): string {
  const rows = acquirerRows.map((row) => {
    const id = `prism-${row.name.toLowerCase()}`
    const { operations, supports, recoveryWay } = connectorById(id) ?? { operations: new Set() }
    const mark = (isOffered: boolean | undefined): string => (isOffered ? 'yes' : '–')
    return [
      row.title,
      code(id),
      row.methods ? row.methods.join(', ') : 'cards',
      mark(operations.has('authorize')),
      mark(operations.has('refund')),
      mark(supports?.moto),
      mark(supports?.recurring),
      walletsOf(row),
      mark(supports?.ownThreeDs),
      mark(supports?.externalThreeDs),
      mark(operations.has('readNotification')),
      code(recoveryWay ?? ''),
    ]
  })
  return table(
    [
      'Acquirer',
      'Connector',
      'Takes',
      'Hold, capture, release',
      'Refund',
      'MOTO',
      'Without the payer',
      'Decrypted wallets',
      '3DS on its page',
      '3DS by another MPI',
      'Notifications',
      'Unknown outcome',
    ],
    rows,
  )
}

function walletsOf({ abilities }: AcquirerRow): string {
  const can = (ability: PrismAbility): boolean => abilities.includes(ability) || abilities.includes('network-token')
  return [can('wallet-a') ? 'A' : '', can('wallet-b') ? 'B' : ''].filter(Boolean).join(', ') || '–'
}
