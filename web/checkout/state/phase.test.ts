/** The states of the page. Chapter 30 §6.3, §7.2. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LinkTarget, PaymentAnswer, Redirect, SessionState, StateAnswer } from '../page-api.ts'
import { readSession } from '../read-answers.ts'
import { needsPress, type Phase, phaseAfterState, phaseOfPayment, phaseOfSession, secondsShown } from './phase.ts'

const to = (target: LinkTarget): Redirect => ({ url: 'https://shop.example/', target, continue: target !== '_self' })
const answerOf = (result: PaymentAnswer['result'], more: Partial<PaymentAnswer> = {}): PaymentAnswer => ({
  result,
  payment_id: 'p',
  redirect: null,
  confirmation: null,
  decline_message: null,
  same_card: false,
  declines_left: null,
  ...more,
})
const state = (now: SessionState, more: Partial<StateAnswer> = {}): StateAnswer => ({
  state: now,
  payment_id: null,
  redirect: null,
  confirmation: null,
  decline_message: null,
  same_card: false,
  declines_left: 2,
  waiting_for: null,
  ...more,
})

describe('an answer to an attempt', () => {
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [string, PaymentAnswer, boolean, Phase['at']])[] = [
    // what                                  answer                                      framed  state
    ['success',                            answerOf('success'),                            false,  'success'],
    ['a decline with attempts left',       answerOf('decline', { declines_left: 2 }),      false,  'declined'],
    ['the last decline',                   answerOf('decline', { declines_left: 0 }),      false,  'limit'],
    ['a redirect',                         answerOf('redirect', { redirect: to('_self') }), false, 'away'],
    ['a redirect inside the frame',        answerOf('redirect', { redirect: to('_self') }), true,  'away'],
    ['a redirect out of the frame',        answerOf('redirect', { redirect: to('_top') }),  true,  'confirm'],
    ['a redirect to the top without one',  answerOf('redirect', { redirect: to('_top') }),  false, 'away'],
    ['a redirect to a new window',         answerOf('redirect', { redirect: to('_blank') }), false, 'confirm'],
    ['a redirect to nowhere',              answerOf('redirect'),                           false,  'waiting'],
    ['waiting',                            answerOf('waiting'),                            false,  'waiting'],
    ['an unknown outcome',                 answerOf('undefined'),                          false,  'undefined'],
  ]
  for (const [what, answer, framed, at] of rows) {
    test(`${what} leads to ${at}`, () => assert.equal(phaseOfPayment(answer, framed).at, at))
  }
})

test('a redirect that may be framed is shown in a frame, unless the page itself is in one', () => {
  const redirect = { ...to('_self'), url: 'https://pay.example/redirect/2?again=1', frame: true }
  const answer = answerOf('redirect', { redirect })
  assert.equal(Reflect.get(phaseOfPayment(answer, false), 'frame'), 'https://pay.example/redirect/2?again=1&frame=1')
  assert.equal(phaseOfPayment(answer, true).at, 'away')
})

describe('a session that is opened', () => {
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [SessionState, Phase['at']])[] = [
    ['ready', 'ready'], ['declined', 'declined'], ['busy', 'busy'], ['away', 'confirm'], ['waiting', 'waiting'],
    ['undefined', 'undefined'], ['complete', 'complete'], ['limit', 'limit'], ['expired', 'expired'],
  ]
  for (const [now, at] of rows) {
    test(`${now} is shown as ${at}`, () => assert.equal(phaseOfSession(readSession({ state: now })).at, at))
  }
  test('in an unknown state, nothing can be paid', () => {
    assert.equal(phaseOfSession(readSession({ state: 'frozen' })).at, 'undefined')
  })
})

describe('polling while the payment is elsewhere', () => {
  const waiting: Phase = { at: 'waiting', message: null, redirect: null }
  const continued: Phase = {
    at: 'confirm',
    where: 'bank',
    redirect: to('_blank'),
    leave: null,
    frame: null,
    pressed: true,
    attempt: 'stuck',
  }

  test('a success after waiting is shown as success, not as an order that was already paid', () => {
    assert.equal(phaseAfterState(waiting, state('complete')).at, 'success')
    assert.equal(phaseAfterState({ at: 'loading' }, state('complete')).at, 'complete')
  })
  test('a confirmation that is still open gets its new address, and keeps what the payer did', () => {
    const next = { ...to('_blank'), url: 'https://pay.example/redirect/2' }
    const answer = state('away', { redirect: next, confirmation: { where: 'method', leave: to('_self') } })
    assert.deepEqual(phaseAfterState(continued, answer), {
      ...continued,
      where: 'method',
      redirect: next,
      leave: to('_self'),
    })
    assert.equal(phaseAfterState(waiting, answer).at, 'confirm')
  })
  test('a payment that is being sent does not move a waiting payer, and ends the confirmation', () => {
    assert.equal(phaseAfterState(waiting, state('busy')), waiting)
    assert.equal(phaseAfterState(continued, state('busy')).at, 'busy')
  })
  test('a confirmation in a frame stays in it, and after a decline the form keeps the card that may be tried again', () => {
    const framed: Phase = { ...continued, frame: 'https://pay.example/redirect/1?frame=1' }
    assert.deepEqual(phaseAfterState(framed, state('away', { redirect: to('_self') })), {
      ...framed,
      redirect: to('_self'),
    })
    const declined = state('declined', { same_card: true })
    assert.deepEqual(
      [framed, continued].map((now) => Reflect.get(phaseAfterState(now, declined), 'keepsCard')),
      [true, false],
    )
  })
  test('a cancelled confirmation opens the form again without a notice', () => {
    assert.deepEqual(phaseAfterState(continued, state('ready')), { at: 'ready', notice: null })
  })
  test('a decline opens the form again with the reason', () => {
    assert.deepEqual(phaseAfterState(continued, state('declined', { decline_message: 'No.' })), {
      at: 'declined',
      message: 'No.',
      left: 2,
      keepsCard: false,
    })
  })
  test('an open form stays as it is', () => {
    const ready: Phase = { at: 'ready', notice: null }
    assert.equal(phaseAfterState(ready, state('ready')), ready)
  })
})

test('a new window always needs a press, other targets only inside a frame', () => {
  const pressed = (framed: boolean): readonly boolean[] =>
    (['_self', '_parent', '_top', '_blank'] as const).map((target) => needsPress(to(target), framed))
  assert.deepEqual(pressed(false), [false, false, false, true])
  assert.deepEqual(pressed(true), [false, true, true, true])
})

test('success is shown for three seconds, a failure for five, and no other state leaves by itself', () => {
  assert.deepEqual((['success', 'limit', 'expired', 'undefined', 'complete'] as const).map(secondsShown), [
    3,
    5,
    5,
    null,
    null,
  ])
})
