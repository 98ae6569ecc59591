/** The address of the list with exactly the payments that a figure of the page counted. */
import { addDays } from '#domain/schedule/day.ts'
import type { Answer } from '../../api/call.ts'
import type { Filters } from '../../kit/form/use-filters.ts'

export type Analytics = Answer<'GET /analytics'>
export type AnalyticsFilters = Filters<'merchantId' | 'from' | 'to' | 'by' | 'value'>
export type AnalyticsRow = Analytics['rows'][number]

// biome-ignore format: a table is read in columns.
export const dimensions = [
  // value              title of the choice         title of a value       filter of the list
  ['mid',              'MID',                       'MID',                 'midId'],
  ['network',          'Card network',              'Network',             'network'],
  ['issuerCountry',    'Issuer’s country',          'Country',             'issuerCountry'],
  ['bin',              'First six digits (BIN)',    'BIN',                 'bin'],
  ['kind',             'Kind',                      'Kind',                'kind'],
  ['threeDs',          '3-D Secure flow',           'Flow',                'transFlow'],
  ['wallet',           'Wallet',                    'Wallet',              'wallet'],
  ['declineReason',    'Decline reason',            'Reason',              'declineReason'],
] as const

type DimensionName = (typeof dimensions)[number][0]

export const dimensionNamed = (name: string) => dimensions.find(([value]) => value === name) ?? dimensions[0]

interface CountedWish {
  readonly from: string
  readonly to: string
  readonly merchantId: string
  readonly by: DimensionName
}

/** Null for payments without a value, which no filter names. Days are of UTC, so that the list gets instants. */
export function countedAddress(
  { from, to, merchantId, by }: CountedWish,
  value: string,
  outcome: 'approved' | 'declined' | '',
): string | null {
  if (value === '') return null
  const set = {
    from: `${from}T00:00:00.000Z`,
    to: `${addDays(to, 1)}T00:00:00.000Z`,
    merchantId,
    outcome,
    // Each attempt counts for its MID; a kind is counted by itself, everything else among sales and debits.
    attempts: by === 'mid' ? '' : 'last',
    kind: 'income',
    [dimensionNamed(by)[3]]: value,
  }
  return `/payments?${new URLSearchParams(Object.entries(set).filter(([, one]) => one !== ''))}`
}
