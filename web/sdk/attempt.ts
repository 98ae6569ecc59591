/** One attempt to pay, and its result. An attempt keeps its identifier until it is answered, so that it cannot charge twice. */
import type { PaymentAnswer, PaymentBody, SessionState, SessionView, StateAnswer } from '../checkout/page-api.ts'
import { CallFailed, type PageClient } from './page-client.ts'

/** Pauses before an attempt whose answer was lost is sent again. */
const pausesMs = [1_000, 3_000]

/** Sends the attempt; after a lost answer it asks for the state before sending it again. Chapter 30 §7.2, network error. */
export async function sendAttempt(client: PageClient, order: PaymentBody): Promise<PaymentAnswer> {
  for (const pauseMs of pausesMs) {
    try {
      return await client.pay(order)
    } catch (error) {
      if (!(error instanceof CallFailed) || !error.unanswered) throw error
    }
    await pause(pauseMs)
    const state = await client.state(0).catch(() => null)
    const answer = state && answerIn(state)
    if (answer) return answer
  }
  return client.pay(order)
}

const LONG_POLL_SECONDS = 25
const QUESTIONS = 500

/** Polls until the outcome is known; null if the session will not have one. */
export async function awaitOutcome(client: PageClient, isWanted: () => boolean): Promise<PaymentAnswer | null> {
  for (let count = 0; count < QUESTIONS && isWanted(); count += 1) {
    const state = await client.state(LONG_POLL_SECONDS).catch(() => null)
    if (state === null) await pause(pausesMs[0])
    else if (!isOpen(state.state)) return answerIn(state)
  }
  return null
}

/** The result of the attempt that led to a state; null if there was none. */
export function answerIn(state: StateAnswer): PaymentAnswer | null {
  const result = results[state.state]
  if (result === undefined) return null
  const { redirect, confirmation, decline_message, same_card, declines_left } = state
  const left = state.state === 'limit' ? 0 : declines_left
  return {
    result,
    payment_id: state.payment_id ?? '',
    redirect,
    confirmation,
    decline_message,
    same_card,
    declines_left: left,
  }
}

/** The result of the attempts that were made before the session was read. */
export function answerInView({ state, redirect, decline_message, declines }: SessionView): PaymentAnswer | null {
  return answerIn({
    state,
    payment_id: null,
    redirect,
    confirmation: null,
    decline_message,
    same_card: false,
    declines_left: Math.max(0, declines.max - declines.count),
    waiting_for: null,
  })
}

const results: Partial<Readonly<Record<SessionState, PaymentAnswer['result']>>> = {
  complete: 'success',
  declined: 'decline',
  limit: 'decline',
  away: 'waiting',
  busy: 'waiting',
  waiting: 'waiting',
  undefined: 'undefined',
}

const isOpen = (state: SessionState): boolean => results[state] === 'waiting' || results[state] === 'undefined'

const pause = (ms = 1_000): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
