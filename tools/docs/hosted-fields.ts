/** The calls of a merchant's server on a session of hosted fields: members, answers and errors. */
import { errors } from '#domain/errors.ts'
import { fieldsCalls } from '#server/protocols/hosted-page/fields/calls.ts'
import { type ErrorName, ofCharges } from './answers/action-errors.ts'
import { errorNotes } from './answers/error-notes.ts'
import { memberTable } from './checkout.ts'
import { code, table } from './markdown.ts'
import type { Regions } from './regions.ts'

/** `fields-processing`, `fields-processing-answer` and `fields-processing-errors`. */
export const hostedFieldsRegions: Regions = Object.fromEntries(
  fieldsCalls.flatMap((call) => [
    [`fields-${call.name}`, () => memberTable(call)],
    [
      `fields-${call.name}-answer`,
      () =>
        table(
          ['Answer', ''],
          Object.entries(call.answer).map(([name, says]) => [code(name), says]),
        ),
    ],
    [`fields-${call.name}-errors`, () => errorTable(callErrors[call.name] ?? [])],
  ]),
)

type CallError = readonly [error: ErrorName, when: string]

/** Only what the session or the saved card can cause; wallets are not paid with hosted fields. */
const ofRouting: readonly CallError[] = ofCharges
  .filter(([, param]) => param !== 'digital_wallet')
  .map(([error]) => [error, errorNotes[error]])

/** In the order in which they are checked. */
export const callErrors: Readonly<Record<string, readonly CallError[]>> = {
  processing: [
    ['sessionTokenInvalid', 'The header `Token` is missing, no token of hosted fields, or expired.'],
    ['ipNotAllowed', 'The caller’s address is not on the merchant’s list.'],
    ['operationMismatch', "The address is not that of the session's operation."],
    ['sessionComplete', 'The session is paid, or has reached its number of declines.'],
    [
      'duplicateRequest',
      'Another call is in progress, the payer has not returned yet, or the outcome is unknown; also another request with the same `Idempotency-Key`.',
    ],
    [
      'amountChanged',
      '`order_amount` or `order_currency` is not that of the session. Nothing was charged; `errors` has the present values.',
    ],
    [
      'cardDataMissing',
      'The last `collectIframesData()` did not end in `success`, its values are used, or the code is older than 15 minutes.',
    ],
    ['cardBrandRefused', "No MID accepts the card's network."],
    ...ofRouting,
  ],
  'session-update': [
    [
      'sessionTokenForbidden',
      'The header `Token` is missing, no session token, or expired. A browser gets a page instead.',
    ],
    ['ipNotAllowed', 'The caller’s address is not on the merchant’s list.'],
    [
      'sessionUpdateUnproved',
      'The merchant lists no addresses, the request is not signed, and the mapping option `sessionUpdate` is not `token`.',
    ],
    ['sessionNotUpdatable', 'A payment exists, even a declined one, or the session is that of a hosted page.'],
    ['scheduleNotFound', 'The merchant has no schedule of this identifier.'],
    ['schedulePaused', 'The schedule is paused.'],
    ['noAcceptableMethods', 'No MID is left for the new amount or currency.'],
    ['duplicateRequest', 'Another request with the same `Idempotency-Key` is in progress.'],
  ],
}

const errorTable = (rows: readonly CallError[]): string =>
  table(
    ['HTTP', '`error_code`', '`error_message`', 'When'],
    rows.map(([name, when]) => [errors[name].http, errors[name].code, code(errors[name].message), when]),
  )
