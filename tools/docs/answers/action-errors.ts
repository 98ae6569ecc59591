/**
 * The errors of each action of S2S CARD beyond those of any request (chapter 10 §1.3, steps 1 to 7 and 9).
 *
 * Found by trying, where that is possible without an acquirer: the action is rehearsed without the entity it names, and on paused and
 * running schedules; the commands of `rules.ts` are tried on payments in every status. Only refusals by routing and for saved cards are a
 * table, by the parameter that can cause them.
 */
import { errors, type Refusal } from '#domain/errors.ts'
import { decide } from '#domain/payment/decide.ts'
import { kinds, type Payment, returnableMinorOf, statuses } from '#domain/payment/payment.ts'
import { type BrandLimits, type Command, firstRules, noBrandLimits, refusalOf } from '#domain/payment/rules.ts'
import { fullFacts } from '#domain/payment/testing/example-facts.ts'
import type { Action } from '#server/protocols/kit/action.ts'
import { cardActions } from '#server/protocols/s2s-card/index.ts'
import { code, table } from '../markdown.ts'
import type { Regions } from '../regions.ts'
import { examplePayment, today } from '../states.ts'
import { regionOf } from './answers.ts'
import { errorNotes } from './error-notes.ts'
import { refusalIn, type World } from './rehearsal.ts'

export type ErrorName = keyof typeof errors

// The keys of a literal are its names; TypeScript types `Object.keys` as strings.
const errorNames = Object.keys(errors) as readonly ErrorName[]

// biome-ignore format: a table is read in columns.
export const ofCharges: readonly (readonly [error: ErrorName, param: string | null])[] = [
  // error                  only with the parameter
  ['previousPaymentOpen',   'order_id'],
  ['cardTokenUnknown',      'card_token'],
  ['cardTokenExpired',      'card_token'],
  ['cardTokenForeign',      'card_token'],
  ['brandNotFound',         null],
  ['noMid',                 null],
  ['motoNotSupported',      'moto_type'],
  ['walletNotSupported',    'digital_wallet'],
  ['typeNotSupported',      null],
  ['brandNotSupported',     null],
  ['actionNotSupported',    null],
  ['currencyNotFound',      null],
  ['dayMidLimit',           null],
  ['monthMidLimit',         null],
  ['dayMappingLimit',       null],
  ['weekMappingLimit',      null],
  ['noCardFlow',            'digital_wallet'],
  ['walletTokenExpired',    'digital_wallet'],
  ['walletTokenMismatch',   'digital_wallet'],
]

const worlds: readonly Omit<World, 'facts'>[] = [
  { payment: false, schedule: 'unknown' },
  { schedule: 'unknown' },
  { payment: false },
  { schedule: 'paused' },
  { schedule: 'running' },
]

/** By the name of the action; in the order in which the refusals are checked. */
export const actionErrors: ReadonlyMap<string, readonly ErrorName[]> = new Map(
  await Promise.all(cardActions.map(async (action) => [action.names[0] ?? '', await errorsOf(action)] as const)),
)

/** `errors-capture` for CAPTURE; none for an action that cannot be refused. */
export const actionErrorRegions: Regions = Object.fromEntries(
  [...actionErrors]
    .filter(([, names]) => names.length > 0)
    .map(([action, names]) => [regionOf('errors', action), () => errorTable(names)]),
)

async function errorsOf(action: Action): Promise<readonly ErrorName[]> {
  const [name = ''] = action.names
  const charges = name in firstRules || name === 'RETRY'
  const routed = charges
    ? ofCharges.flatMap(([error, param]) => (param === null || param in action.params ? [error] : []))
    : []
  return [...new Set([...(await rehearseErrors(action)), ...refusalsByRules(name).map(nameOf), ...routed])]
}

export async function rehearseErrors(action: Action): Promise<readonly ErrorName[]> {
  // An action that names neither a payment nor a schedule is refused by routing alone, which a rehearsal does not include.
  const names = ['trans_id', 'order_id', 'recurring_token', 'schedule_id']
  const [own = ''] = action.names
  if (own === 'CREATE_SCHEDULE' || !names.some((name) => name in action.params)) return []
  const tried = Object.hasOwn(action.params, 'schedule_id')
    ? worlds
    : worlds.filter(({ schedule }) => schedule !== 'paused')
  const refusals = await Promise.all(tried.map((world) => refusalIn(action, { facts: fullFacts, ...world })))
  return refusals.filter((refusal) => refusal !== null).map(nameOf)
}

/** Every refusal of a command for any payment in any status; `brands` are limits that brands may set. */
export function refusalsByRules(name: string, brands: readonly BrandLimits[] = [noBrandLimits]): readonly Refusal[] {
  if (!isCommand(name)) return []
  const payments = statuses.flatMap((status) => kinds.map((kind) => examplePayment(status, kind)))
  return [...payments, ...payments.map((payment): Payment => ({ ...payment, inFlight: true }))].flatMap((payment) => {
    const whole = payment.status === 'PENDING' ? payment.authorisedMinor : returnableMinorOf(payment)
    return brands.flatMap((brand) =>
      [1n, whole, whole + 1n].flatMap((amountMinor) => {
        const decision = decide(payment, name, { amountMinor, today, brand })
        return decision.allowed ? [] : [decision.refusal]
      }),
    )
  })
}

function isCommand(name: string): name is Command {
  return name in refusalOf
}

export function nameOf(refusal: Refusal): ErrorName {
  const name = errorNames.find((known) => errors[known] === refusal)
  if (!name) throw new Error(`The catalogue has no "${refusal.message}".`)
  return name
}

export function errorTable(names: readonly ErrorName[]): string {
  return table(
    ['`error_code`', '`error_message`', 'When'],
    names.map((name) => [errors[name].code, code(errors[name].message), errorNotes[name]]),
  )
}
