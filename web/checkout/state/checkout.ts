/**
 * The flow of the page: reads the session, sends attempts, polls their results, and leads the payer on.
 *
 * One press sends one attempt. An attempt keeps its identifier until it is answered, so that sending it again cannot charge twice
 * (Chapter 30 §7.2, network error). Its body is held only in this file, and only as long as the attempt.
 */
import { type PageServer, RefusedCall, UnreachableServer } from '../call.ts'
import { startingValues } from '../fields/asked-fields.ts'
import { waitForSessionChange } from '../methods/session-change.ts'
import type { BrowserReason, PaymentAnswer, PaymentBody, SessionView } from '../page-api.ts'
import { announce, silence } from './announce.ts'
import { type Clock, startClock } from './clock.ts'
import { isFramed, leave } from './leave.ts'
import {
  isFollowing,
  isOpen,
  type Phase,
  phaseAfterState,
  phaseOfPayment,
  phaseOfSession,
  redirectOf,
  secondsShown,
  showsFrame,
} from './phase.ts'
import { complaintOf, fieldOfPath, noticeOf, saysOtherAmount, unsupportedWallet } from './refusals.ts'
import {
  chosenCard,
  chosenMethod,
  complain,
  countries,
  forgetAll,
  forgetCard,
  forgetCode,
  listedMethods,
  phase,
  readyWallets,
  session,
  values,
  waitingFor,
} from './session.ts'
import { language, say, sayCount, type TextKey } from './texts.ts'

let server: PageServer | null = null
let clock: Clock | null = null
let followController: AbortController | null = null
let departure: ReturnType<typeof setTimeout> | undefined
let pendingOrder: PaymentBody | null = null

const longPollSeconds = 25
const pauseMs = 2000
const awayMs = 10_000

/** Reads the session: at the start, where it may have been requested already, and when the browser restores the page. */
export async function begin(with_: PageServer, early?: Promise<SessionView>): Promise<void> {
  server = with_
  forgetAll()
  enterPhase({ at: 'loading' })
  try {
    const read = await (early ?? server.session(language.value.code))
    session.value = read
    waitingFor.value = read.waiting_for
    values.value = startingValues(read)
    preselect(read)
    clock?.stop()
    clock = startClock(read.server_time, read.expires_at, { onMinutes: speakMinutes, onEnd: onTimeOver })
    enterPhase(phaseOfSession(read))
  } catch (error) {
    enterPhase(error instanceof RefusedCall ? { at: 'bad-link' } : { at: 'unreachable' })
  }
}

export const today = (): string => clock?.today() ?? '1970-01-01'

/** If the card form is the only choice, it is preselected. */
function preselect(read: SessionView): void {
  const [first, ...others] = listedMethods.value
  const chosen = listedMethods.value.find(({ code }) => code === chosenMethod.value)
  chosenMethod.value = (chosen ?? (others.length === 0 || first?.kind === 'card' ? first : undefined))?.code ?? null
  chosenCard.value = read.card_tokens.find(({ expired }) => !expired)?.token ?? null
}

export async function pay(order: PaymentBody): Promise<void> {
  if (!isOpen(phase.value)) return
  pendingOrder = order
  enterPhase({ at: 'paying' })
  await send(order)
}

/** A wallet shows its own sheet meanwhile, which needs the result. */
export async function payFromSheet(order: PaymentBody): Promise<boolean> {
  await pay(order)
  return goodEnds.includes(phase.value.at)
}

/** If the result is unknown, the sheet must not show success. */
const goodEnds: readonly Phase['at'][] = ['success', 'waiting', 'away', 'confirm']

/** After a lost connection: asks for the result first, and sends the same attempt again only if there is none. */
export async function tryAgain(): Promise<void> {
  const order = pendingOrder
  if (!server) return
  if (!order) return begin(server)
  enterPhase({ at: 'paying' })
  try {
    const answer = await server.state(0, language.value.code)
    // The decline may belong to an earlier attempt. Sent again under its own identifier, this attempt gets its own result.
    if (answer.state === 'ready' || answer.state === 'declined') return await send(order)
    pendingOrder = null
    enterPhase(phaseAfterState({ at: 'paying' }, answer))
  } catch {
    enterPhase({ at: 'unreachable' })
  }
}

async function send(order: PaymentBody): Promise<void> {
  if (!server) return
  try {
    arrive(await server.pay(order), order)
  } catch (error) {
    if (!(error instanceof RefusedCall)) {
      forgetCard()
      return enterPhase({ at: 'unreachable' })
    }
    await onRefusal(error, order.method)
  }
}

function arrive(answer: PaymentAnswer, order: PaymentBody): void {
  pendingOrder = null
  const next = phaseOfPayment(answer, isFramed)
  // After a wallet's decline the form has no card of this attempt.
  const keepsCard = next.at === 'declined' && next.keepsCard && order.method === 'card'
  if (keepsCard || showsFrame(next)) forgetCode()
  else forgetCard()
  enterPhase(next.at === 'declined' ? { ...next, keepsCard } : next)
}

/** Nothing was paid, and the attempt does not count. Chapter 30 §7.7, §7.8. */
async function onRefusal({ http, code, message, paths }: RefusedCall, method: string): Promise<void> {
  pendingOrder = null
  if (http === 409) return saysOtherAmount(message) ? showNewAmount() : lookAgain()
  if (paths.includes('order_id')) return enterPhase(paidBefore())
  // The session has ended meanwhile: it expired or was paid elsewhere.
  if (server && (http === 401 || message === 'Session is complete.')) return begin(server)
  forgetCard()
  for (const path of paths) complain(fieldOfPath(path), complaintOf(path))
  if (code === unsupportedWallet) {
    readyWallets.value = readyWallets.value?.filter((wallet) => wallet !== method) ?? null
  }
  enterPhase({ at: 'ready', notice: noticeOf(http, code, message) })
}

/** The merchant accepts one payment for an order, and another session has paid it. */
function paidBefore(): Phase {
  forgetAll()
  const { cancel_url: url = null, url_target: target = '_self' } = session.value ?? {}
  return {
    at: 'complete',
    message: null,
    redirect: url === null ? null : { url, target, continue: target !== '_self' },
  }
}

/** Another attempt of this session is in progress, here or elsewhere. */
async function lookAgain(): Promise<void> {
  forgetCard()
  enterPhase({ at: 'busy', message: null, redirect: null })
}

/** The payer keeps what was typed, because no attempt was made. */
async function showNewAmount(): Promise<void> {
  const read = await server?.session(language.value.code).catch(() => null)
  if (!read) return enterPhase({ at: 'unreachable' })
  showSession(read, 'amountChanged')
}

/** A session that has changed since it was shown. The notice asks a payer who may pay to confirm again. */
function showSession(read: SessionView, asks: TextKey): void {
  session.value = read
  enterPhase(phaseOfSession(read))
  // A payer who was declined elsewhere reads the reason, unless the amount is another one.
  if (read.state === 'ready' || asks === 'amountChanged') notice(asks)
}

/** For the payer's other actions, which have files of their own. */
export const currentServer = (): PageServer | null => server

/** The page is left, perhaps temporarily: all input is cleared and polling stops. */
export function pause(): void {
  pendingOrder = null
  forgetAll()
  followController?.abort()
  clearTimeout(departure)
  clock?.stop()
}

/** Shows a notice above the form, which stays open. */
export function notice(text: TextKey): void {
  if (!isOpen(phase.value)) return
  phase.value = { at: 'ready', notice: text }
  announce(say(text))
}

/** Reloads the texts that come from the server in the page's current language. */
export async function translate(): Promise<void> {
  const read = await server?.session(language.value.code).catch(() => null)
  if (!read || !session.value) return
  session.value = { ...session.value, methods: read.methods }
  const now = phase.value
  if (now.at === 'declined') phase.value = { ...now, message: read.decline_message ?? now.message }
  if (countries.value.length > 0) await loadCountries()
}

export async function loadCountries(): Promise<void> {
  const read = await server?.countries(language.value.code).catch(() => [])
  if (read) countries.value = read
}

/** Closes a sheet if the session no longer matches it, and shows the current session for confirmation. */
export async function closeWhenSessionChanges(
  shown: SessionView,
  closed: AbortSignal,
  close: () => void,
): Promise<void> {
  const api = server
  if (!api || !(await waitForSessionChange(shown, (known, signal) => api.now(known, signal), closed))) return
  close()
  const read = await api.session(language.value.code).catch(() => null)
  if (!read || !isOpen(phase.value)) return
  const isSame = read.total === shown.total && read.order.currency === shown.order.currency
  showSession(read, isSame ? 'confirmAgain' : 'amountChanged')
}

/** Reported once per wallet and page view. A failure is ignored, because the payer is not affected. */
export function tellMissing(wallet: string, reason: BrowserReason): void {
  server?.walletMissing(wallet, reason).catch(() => undefined)
}

export const walletSession = (wallet: string, validationUrl: string): Promise<unknown> =>
  server ? server.walletSession(wallet, validationUrl) : Promise.reject(new UnreachableServer())

export function enterPhase(next: Phase): void {
  if (next.at !== phase.value.at) silence()
  if (showsFrame(phase.value) && !showsFrame(next) && !(next.at === 'declined' && next.keepsCard)) forgetCard()
  phase.value = next
  clearTimeout(departure)
  const shown = secondsShown(next.at)
  if (next.at === 'away') {
    leave(next.redirect)
    // If the browser has not left by then, the page offers the way again.
    departure = setTimeout(() => void (server && begin(server)), awayMs)
  }
  if (shown !== null) departure = setTimeout(depart, shown * 1000)
  if (!isFollowing(next)) followController?.abort()
  else if (followController === null || followController.signal.aborted) void follow()
}

function depart(): void {
  const redirect = redirectOf(phase.value)
  if (redirect) leave(redirect)
}

/** Polls until the answer leads to another state. A failed request is repeated after a pause. */
async function follow(): Promise<void> {
  const mine = new AbortController()
  followController = mine
  // The first request does not wait: it returns what the payer has to do meanwhile.
  for (let wait = 0; server && !mine.signal.aborted && isFollowing(phase.value); wait = longPollSeconds) {
    const answer = await server.state(wait, language.value.code, mine.signal).catch(() => null)
    if (mine.signal.aborted) return
    waitingFor.value = answer?.waiting_for ?? null
    const next = answer ? phaseAfterState(phase.value, answer) : phase.value
    if (next.at === phase.value.at) phase.value = next
    else enterPhase(next)
    await new Promise((resolve) => setTimeout(resolve, answer ? 300 : pauseMs))
  }
}

function speakMinutes(minutes: number): void {
  if (isOpen(phase.value)) announce(sayCount('minutesLeft', minutes))
}

/** An attempt that began before the end may finish. Chapter 30 §7.8. */
async function onTimeOver(): Promise<void> {
  if (!server || !isOpen(phase.value)) return
  const answer = await server.state(0, language.value.code).catch(() => null)
  forgetAll()
  enterPhase(answer && answer.state !== 'ready' ? phaseAfterState(phase.value, answer) : timeOver)
}

const timeOver: Phase = { at: 'expired', message: null, redirect: null }
