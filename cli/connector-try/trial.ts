/**
 * Runs an acquirer's test cards through every operation that its connector offers, and takes everything back that it charged.
 *
 * It calls the connector directly: nothing becomes a payment of a merchant, and nothing counts in the health of the MID
 * (decisions/connectors#trials).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { formatAmount, parseAmount } from '#domain/money/money.ts'
import type { AcquirerFacts, Answer, FollowUp, Order, Outcome, SentTransaction } from '#server/connectors/connector.ts'
import type { TestCard, TestCards } from '#server/contracts/test-cards.ts'
import { type Charge, newFollowUp, newTrialOrder, sentFollowUp, sentOrder, trialBrowser } from './trial-orders.ts'
import type { TrialStep, TrialTerms } from './trial-terms.ts'

type LaterOperation = 'capture' | 'refund' | 'reverse' | 'void'
type OrderChanges = Parameters<typeof newTrialOrder>[3]

interface LineWords {
  readonly operation?: 'sale' | 'authorize'
  /** The name of the card in the table of test cards. */
  readonly card: keyof TestCards
  readonly expected: string
}

const mostQuestions = 20

export class Trial {
  readonly #terms: TrialTerms
  readonly #steps: TrialStep[] = []

  constructor(terms: TrialTerms) {
    this.#terms = terms
  }

  async run(): Promise<readonly TrialStep[]> {
    const { approved } = this.#terms.cards
    const [part, rest] = this.#parts()
    const whole = part + rest
    const sold = await this.#charge('Sale', 'sale', approved)
    if (sold) {
      await this.#follow('Partial refund', 'refund', sold, part)
      if (rest > 0n) await this.#follow('Refund of the rest', 'refund', sold, rest)
    }
    await this.#tryHold(approved, part, whole)
    const held = await this.#charge('Authorisation to release', 'authorize', approved)
    if (held) await this.#follow('Release', 'reverse', held, whole)
    const voided = this.#offers('void') ? await this.#charge('Sale to void', 'sale', approved) : null
    if (voided) await this.#follow('Void', 'void', voided, whole)
    if (!this.#offers('void')) this.#skip('Void', 'The acquirer does not offer it.')
    await this.#tryAuthentication()
    await this.#tryDecline()
    await this.#trySeries(approved)
    return this.#steps
  }

  async #tryHold(card: TestCard, part: bigint, whole: bigint): Promise<void> {
    const hold = await this.#charge('Authorisation', 'authorize', card)
    if (!hold) return
    const isPartial = this.#terms.acquirer.connector.supports.partialCapture
    const amount = isPartial ? part : whole
    const capture = await this.#follow(isPartial ? 'Partial capture' : 'Capture', 'capture', hold, amount)
    if (capture) await this.#follow('Refund of the capture', 'refund', { ...hold, captures: [capture] }, amount)
  }

  async #tryAuthentication(): Promise<void> {
    const { payer, cards, acquirer } = this.#terms
    const card = cards.authenticated
    if (card === null) return this.#skip('3-D Secure', 'There is no card for the acquirer’s own 3-D Secure.')
    if (payer === null) return this.#skip('3-D Secure', 'Skipped by --skip-3ds.')
    const changes = { returnUrl: payer.returnUrl, browser: trialBrowser }
    const order = newTrialOrder(this.#terms, card, this.#terms.amountMinor, changes)
    const begun = await this.#send('sale', order)
    const line = this.#lineOf('3-D Secure', order, { card: 'authenticated', expected: 'payer step, then approved' })
    if (begun.result !== 'payer-step') return this.#add({ ...line, ...outcomeOf(begun), result: 'fail' })
    const fields = await payer.authenticate(begun)
    if (fields === null)
      return this.#add({ ...line, ...outcomeOf(begun), outcome: 'The browser did not come back.', result: 'fail' })
    const sent = sentOrder(order, 'sale', this.#terms.amountMinor, begun.facts)
    const { complete } = acquirer.account
    const state = begun.state ?? {}
    const back = complete
      ? await acquirer.exchange('complete', () => complete({ ...sent, state, fields }))
      : await acquirer.status(sent)
    const ended = await this.#settle(back, sent)
    this.#add({ ...line, ...outcomeOf(ended), result: ended.result === 'approved' ? 'pass' : 'fail' })
    if (ended.result !== 'approved') return
    const facts = { ...begun.facts, ...ended.facts }
    const charge: Charge = { order, operation: 'sale', amountMinor: this.#terms.amountMinor, facts, captures: [] }
    await this.#follow('Refund after 3-D Secure', 'refund', charge, charge.amountMinor)
  }

  async #tryDecline(): Promise<void> {
    const { cards, maxAmountMinor, currency } = this.#terms
    const card = cards.declined
    if (card === null) return this.#skip('Decline', 'There is no card that is declined.')
    const amount = card.amount === undefined ? this.#terms.amountMinor : minorOf(card.amount, currency)
    if (maxAmountMinor !== null && amount > maxAmountMinor)
      return this.#skip('Decline', 'Its amount is above --max-amount.')
    const order = newTrialOrder(this.#terms, card, amount)
    const outcome = await this.#send('sale', order)
    const result = outcome.result === 'declined' ? 'pass' : 'fail'
    this.#add({
      ...this.#lineOf('Decline', order, { card: 'declined', expected: 'declined' }),
      ...outcomeOf(outcome),
      result,
    })
  }

  /** A first charge with the payer's consent, and a later one without the payer (MIT). */
  async #trySeries(card: TestCard): Promise<void> {
    if (!this.#terms.acquirer.connector.supports.recurring)
      return this.#skip('Merchant-initiated charge', 'The acquirer does not offer it.')
    const first = await this.#charge('First of a series', 'sale', card, {
      recurringInit: true,
      storedCredential: { initiator: 'cardholder', sequence: 'initial', source: 'recurring', reference: null },
    })
    if (!first) return
    const { facts } = first
    const reference = facts.storedCredential ?? null
    const later = await this.#charge('Merchant-initiated charge', 'sale', card, {
      payerPresent: false,
      payerIp: null,
      networkTransactionId: facts.networkTransactionId ?? null,
      storedCredential: { initiator: 'merchant', sequence: 'subsequent', source: 'recurring', reference },
    })
    await this.#follow('Refund of the first', 'refund', first, first.amountMinor)
    if (later) await this.#follow('Refund of the merchant-initiated charge', 'refund', later, later.amountMinor)
  }

  /** Null if it was not approved, so that nothing can follow. */
  async #charge(
    step: string,
    operation: 'sale' | 'authorize',
    card: TestCard,
    changes?: OrderChanges,
  ): Promise<Charge | null> {
    if (!this.#offers(operation)) {
      this.#skip(step, 'The acquirer does not offer it.')
      return null
    }
    const { amountMinor } = this.#terms
    const order = newTrialOrder(this.#terms, card, amountMinor, changes)
    const answer = await this.#send(operation, order)
    const ended = await this.#settle(answer, sentOrder(order, operation, amountMinor, factsOf(answer)))
    const isApproved = ended.result === 'approved'
    this.#add({
      ...this.#lineOf(step, order, { operation, card: 'approved', expected: 'approved' }),
      ...outcomeOf(ended),
      result: isApproved ? 'pass' : 'fail',
    })
    if (!isApproved) return null
    return { order, operation, amountMinor, facts: { ...factsOf(answer), ...ended.facts }, captures: [] }
  }

  async #follow(
    step: string,
    operation: LaterOperation,
    charge: Charge,
    amountMinor: bigint,
  ): Promise<FollowUp['captures'][number] | null> {
    const { acquirer } = this.#terms
    const perform = acquirer.account[operation]
    if (!perform) {
      this.#skip(step, 'The acquirer does not offer it.')
      return null
    }
    const followUp = newFollowUp(this.#terms, charge, amountMinor)
    const answer = await acquirer.exchange(operation, () => perform(followUp))
    const ended = await this.#settle(answer, sentFollowUp(followUp, operation, factsOf(answer)))
    const isTaken = ended.result === 'approved' || ended.result === 'waiting'
    const { transactionId } = followUp
    const sent = `${operation} ${this.#amountText(amountMinor)} of ${charge.facts.reference ?? charge.order.transactionId}`
    const expected = 'approved, or accepted and reported later'
    this.#add({ step, sent, transactionId, expected, ...outcomeOf(ended), result: isTaken ? 'pass' : 'fail' })
    return isTaken ? { transactionId, reference: factsOf(ended).reference ?? null, amountMinor } : null
  }

  #send(operation: 'sale' | 'authorize', order: Order): Promise<Outcome> {
    const { acquirer } = this.#terms
    const { sale, authorize = sale } = acquirer.account
    return acquirer.exchange(operation, () => (operation === 'sale' ? sale(order) : authorize(order)))
  }

  /** Asks until the acquirer has decided. One that cannot be asked reports by notification, so that its acceptance stands. */
  async #settle(answer: Answer, sent: SentTransaction): Promise<Answer> {
    let known = answer
    for (let question = 0; question < mostQuestions && isOpen(known); question += 1) {
      if (question > 0) await sleep(this.#terms.pauseMs)
      const next = await this.#terms.acquirer.status(sent)
      if (next.result === 'cannot-be-asked' || next.result === 'never-arrived') return known
      known = next
    }
    return known
  }

  #parts(): readonly [bigint, bigint] {
    const { amountMinor } = this.#terms
    const part = amountMinor > 1n ? (amountMinor * 4n) / 10n || 1n : amountMinor
    return [part, amountMinor - part]
  }

  #offers(operation: LaterOperation | 'sale' | 'authorize'): boolean {
    return this.#terms.acquirer.account[operation] !== undefined
  }

  #lineOf(step: string, { transactionId, amountMinor }: Order, { operation = 'sale', card, expected }: LineWords) {
    const sent = `${operation} ${this.#amountText(amountMinor ?? 0n)}, test card “${card}”`
    return { step, sent, transactionId, expected }
  }

  #amountText(minor: bigint): string {
    const { currency } = this.#terms
    return `${formatAmount(minor, currency)} ${currency}`
  }

  #skip(step: string, outcome: string): void {
    const nothing = { sent: '', transactionId: null, reference: null, expected: '' }
    this.#add({ step, ...nothing, outcome, result: 'skipped' })
  }

  #add(step: TrialStep): void {
    this.#steps.push(step)
    this.#terms.onStep(step)
  }
}

const isOpen = ({ result }: Answer): boolean => result === 'waiting' || result === 'unknown'

function factsOf(answer: Answer): AcquirerFacts {
  return answer.result === 'never-arrived' || answer.result === 'cannot-be-asked' ? {} : answer.facts
}

function outcomeOf(answer: Answer): Pick<TrialStep, 'outcome' | 'reference'> {
  const reference = factsOf(answer).reference ?? null
  switch (answer.result) {
    case 'declined':
      return { outcome: `declined (${answer.declineClass}): ${answer.reason}`, reference }
    case 'unknown':
    case 'not-executed':
      return { outcome: `${answer.result}: ${answer.reason}`, reference }
    case 'waiting':
      return { outcome: 'accepted; the acquirer reports the end by notification', reference }
    default:
      return { outcome: answer.result, reference }
  }
}

function minorOf(amount: string, currency: string): bigint {
  const parsed = parseAmount(amount, currency)
  if (typeof parsed === 'string') throw new Error(`The amount ${amount} of a test card is not valid in ${currency}.`)
  return parsed.minor
}
