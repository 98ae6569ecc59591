/** The errors of each action of S2S APM beyond those of any request. Chapter 20 §1.1, steps 8 and 10. */
import { type BrandLimits, firstRules, noBrandLimits } from '#domain/payment/rules.ts'
import type { Action } from '#server/protocols/kit/action.ts'
import { apmActions } from '#server/protocols/s2s-apm/index.ts'
import type { Regions } from '../regions.ts'
import { type ErrorName, errorTable, nameOf, refusalsByRules, rehearseErrors } from './action-errors.ts'
import { regionOf } from './answers.ts'

// biome-ignore format: a table is read in columns.
const ofCharges: readonly (readonly [error: ErrorName, only: string | null])[] = [
  // error                 only of the action
  ['previousPaymentOpen',  null],
  ['brandNotFound',        null],
  ['actionNotSupported',   null],
  ['currencyNotFound',     null],
  ['brandNotSupported',    null],
  ['walletNotSupported',   'SALE'],
  ['noMid',                null],
  ['dayMidLimit',          null],
  ['monthMidLimit',        null],
  ['dayMappingLimit',      null],
  ['weekMappingLimit',     null],
  ['walletTokenExpired',   'SALE'],
  ['walletTokenMismatch',  'SALE'],
]

/** What brands may forbid. */
const brands: readonly BrandLimits[] = [
  noBrandLimits,
  { refund: 'full', partialCapture: false, void: false },
  { refund: 'none', partialCapture: false, void: false },
]

/** By the name of the action. */
export const apmErrors: ReadonlyMap<string, readonly ErrorName[]> = new Map(
  await Promise.all(apmActions.map(async (action) => [action.names[0] ?? '', await errorsOf(action)] as const)),
)

/** `apm-errors-capture` for CAPTURE. */
export const apmErrorRegions: Regions = Object.fromEntries(
  [...apmErrors].map(([action, names]) => [regionOf('apm-errors', action), () => errorTable(names)]),
)

async function errorsOf(action: Action): Promise<readonly ErrorName[]> {
  const [name = ''] = action.names
  const routed =
    name in firstRules ? ofCharges.flatMap(([error, only]) => (only === null || only === name ? [error] : [])) : []
  const command = name === 'DEBIT2VIRTUAL_COMPLETE' ? 'COMPLETE' : name
  return [...new Set([...(await rehearseErrors(action)), ...refusalsByRules(command, brands).map(nameOf), ...routed])]
}
