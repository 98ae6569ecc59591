/** The errors of each action against chapter 10 §7, §10.3 and §10.4; written from the chapter, never from the code. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errors } from '#domain/errors.ts'
import { isTest, sourceFiles } from '../../tidy/source-files.ts'
import { actionErrors, type ErrorName } from './action-errors.ts'

const noTransaction = '101000 Transaction does not exist.'
const noOrder = '101000 Order does not exist.'
const noPayment = '100000 Payment not found.'
const noSchedule = '100000 Schedule not found'
const noChain = '100000 Incorrect transaction'
const inFlight = '100000 Previous transaction not completed.'
const pausedError = '100000 Schedule is paused.'
const orderOpen = '100000 Previous payment not completed.'

/** Chapter 10 §10.3 and the order of its last paragraph: the errors that any routing can end in. */
const routingErrors = [
  '204002 Enabled merchant mappings or MIDs not found.',
  '204003 Payment type not supported.',
  '204005 Payment action not supported.',
  '204006 Payment system/brand not supported.',
  '204007 Day MID limit is not set or exceeded.',
  '204008 Day Merchant mapping limit is not set or exceeded.',
  '204011 Payment system/brand not found.',
  '204012 Payment currency not found.',
  '204014 Month MID limit is exceeded.',
  '204015 Week Merchant mapping limit is exceeded.',
]
const cardTokens = [
  '205005 Card token is invalid or not found.',
  '205006 Card token is expired.',
  '205007 Card token is not accessible.',
]
const wallet = [
  '204018 Payment digital wallet not supported',
  '250002 Payment token can not be processed in card flow.',
  '250003 The payment token signature has expired',
  '250004 Payment token does not match the order.',
]
const moto = '204025 MOTO payments are not supported.'

// biome-ignore format: a table is read in columns.
const chapter: Readonly<Record<string, readonly string[]>> = {
  // action                     unknown entity (chapter 10 §10.4)   rules
  SALE:                      [ noSchedule,               pausedError, orderOpen, ...cardTokens, ...routingErrors, ...wallet, moto ],
  CAPTURE:                   [ noTransaction,            inFlight,
                               '208003 Not acceptable to request the capture for payment not in pending status.',
                               '208004 Not acceptable to request the capture for amount bigger than auth amount.' ],
  CREDITVOID:                [ noPayment,                inFlight,
                               '208005 Refund is not allowed',
                               '208006 Not acceptable to request the refund for amount bigger than payment amount.',
                               '208008 Not acceptable to request the reversal for amount bigger than payment amount.',
                               '208009 Not acceptable to request the reversal for partial amount.' ],
  VOID:                      [ noPayment,                inFlight, '100000 Void is not allowed.' ],
  DEBIT:                     [ noSchedule,               pausedError, orderOpen, ...cardTokens, ...routingErrors ],
  RECURRING_SALE:            [ noChain, noSchedule,      pausedError, orderOpen, ...routingErrors ],
  RECURRING_DEBIT:           [ noChain, noSchedule,      pausedError, orderOpen, ...routingErrors ],
  RETRY:                     [ noPayment,                inFlight, '100000 Retry is not allowed.', ...routingErrors ],
  CREDIT2CARD:               [                           orderOpen, ...cardTokens, ...routingErrors ],
  CARD2CARD:                 [                           orderOpen, ...routingErrors ],
  GET_TRANS_STATUS:          [ noTransaction ],
  GET_TRANS_DETAILS:         [ noTransaction ],
  GET_TRANS_STATUS_BY_ORDER: [ noOrder ],
  CREATE_SCHEDULE:           [],
  UPDATE_SCHEDULE:           [ noSchedule ],
  PAUSE_SCHEDULE:            [ noSchedule,               pausedError ],
  RUN_SCHEDULE:              [ noSchedule,               '100000 Schedule is not paused.' ],
  DELETE_SCHEDULE:           [ noSchedule ],
  SCHEDULE_INFO:             [ noSchedule ],
  DESCHEDULE:                [ noSchedule,               noChain ],
}

const errorText = (name: ErrorName): string => `${errors[name].code} ${errors[name].message}`

describe('the errors of chapter 10, and no others, are those of', () => {
  for (const [action, expected] of Object.entries(chapter)) {
    test(action, () => {
      assert.deepEqual((actionErrors.get(action) ?? []).map(errorText).toSorted(), expected.toSorted())
    })
  }
})

test('every action of the list is in the chapter', () => {
  assert.deepEqual([...actionErrors.keys()], Object.keys(chapter))
})

// biome-ignore format: a table is read in columns.
const notOfAnAction: readonly (readonly [ErrorName, why: string])[] = [
  ['notIn3ds',            'answered to a payer’s browser, not to a merchant (chapter 10 §8.3)'],
  ['chargebackTooMuch',   'a dispute is entered in the panel (chapter 10 §10.3)'],
  ['methodNotSupported',  'Checkout asks for methods (chapter 10 §10.3)'],
  ['cannotBeCompleted',   'S2S APM completes debits (chapter 20 §12.3)'],
  ['cardBrandRefused',    'the hosted page, of a network that nobody takes (chapter 30 §7.3)'],
  ['duplicateRequest',    'any request with an Idempotency-Key (chapter 10 §1.4)'],
]

test('every refusal by operations, rules and routing is an error of some action', () => {
  const files = sourceFiles().filter(
    ({ path }) => /^(server\/src\/operations|domain\/src\/(payment|routing))/.test(path) && !isTest(path),
  )
  const named = new Set(files.flatMap(({ code }) => code.match(/(?<=\berrors\.)\w+/g) ?? []))
  const covered = new Set<string>([...[...actionErrors.values()].flat(), ...notOfAnAction.map(([name]) => name)])
  assert.deepEqual(
    [...named].filter((name) => !covered.has(name)),
    [],
  )
})
