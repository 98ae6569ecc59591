import { test } from 'node:test'
import { runCrashPoints } from './crash-points.ts'
import { smoke } from './smoke.ts'

test('a SALE or CREDITVOID killed at any of its durable steps is carried out exactly once, or never began', () =>
  smoke({ runs: 1 }, (terms) => runCrashPoints(terms, ['SALE', 'CREDITVOID'])))

test('a plan payment, a RETRY and a payer’s return killed before and after its intent ends once and for all', () =>
  smoke({ runs: 1 }, (terms) => runCrashPoints(terms, ['PLAN', 'RETRY', 'CHARGE'], ['before-intent', 'intent'])))

test('wallet payments and S2S APM killed around their intent end once and for all', () =>
  smoke({ runs: 1 }, (terms) =>
    runCrashPoints(terms, ['WALLET', 'WALLET_VIRTUAL', 'APM_SALE'], ['before-intent', 'intent']),
  ))
