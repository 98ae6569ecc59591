/** Names of risk lists and of what their entries name. */
import { isRiskKind, type RiskKind, type RiskList, riskKinds, riskLists } from '#domain/risk/risk-entry.ts'
import type { Choice } from '../../kit/form/fields.tsx'

const lists: Readonly<Record<RiskList, string>> = { block: 'Block', allow: 'Allow', review: 'Review' }

// biome-ignore format: a table is read in columns.
const kinds: Readonly<Record<RiskKind, string>> = {
  'card':         'Card fingerprint',
  'bin':          'BIN',
  'email':        'E-mail address',
  'email-domain': 'E-mail domain',
  'ip':           'IP address or range',
  'country':      'Country',
  'phone':        'Phone number',
  'device':       'Device id',
  'customer':     'Customer id',
}

export const listTitle = (list: RiskList): string => lists[list]
export const kindTitle = (kind: RiskKind): string => kinds[kind]
export const listChoices: readonly Choice<RiskList>[] = riskLists.map((list) => ({ value: list, text: lists[list] }))
export const kindChoices: readonly Choice<RiskKind>[] = Object.keys(riskKinds)
  .filter(isRiskKind)
  .map((kind) => ({ value: kind, text: kinds[kind] }))
