/**
 * Questions about routing: why a payment was routed as it was, how another would be routed, and which past payments a draft would route
 * differently. Chapter 50 §3.
 */

import { writeJson } from '#domain/json.ts'
import { limits } from '#domain/limits.ts'
import { protocols } from '#domain/merchant.ts'
import { wallets } from '#domain/mid.ts'
import type { PaymentRecord } from '#server/contracts/records.ts'
import { explainedPayment } from '#server/panel/payments/payment-explanation.ts'
import { type ExplainedDecision, type RoutingQuestionContext, simulateFor } from '#server/panel/setup/routing.ts'
import {
  type ChangedPayment,
  type ReplayRequest,
  type ReplayStep,
  replayStep,
} from '#server/panel/setup/routing-replay.ts'
import type { HypotheticalPayment } from '#server/payments/routing/simulate.ts'
import { paymentStore } from '#server/store/payments/payments.ts'
import { searchPayments } from '#server/store/payments/search/payment-search.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { type Output, printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { argument, flag, type OptionValues, text, value } from '../../kit/options.ts'
import { withPanelRefusals } from '../../kit/panel-refusal.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'
import { openRoutingContext, requireRuleSet } from '../../routing/context.ts'

const country = readers.textMatching(/^[A-Z]{2}$/, 'two capital letters')

/** The attributes of a payment that a person can be expected to type. */
const simulationOptions = {
  merchant: text('MERCHANT', 'The merchant of the payment.'),
  amount: value('MINOR', 'Amount in minor units; default 1000.', readers.minorUnits),
  currency: value('CODE', 'Currency; default EUR.', readers.currency),
  bin: value(
    'DIGITS',
    'The first six to eight digits of the card.',
    readers.textMatching(/^[0-9]{6,8}$/, 'six to eight digits'),
  ),
  issuerCountry: value('COUNTRY', 'Issuer country; default: from the issuer table.', country),
  payerCountry: value('COUNTRY', 'Country of the payer.', country),
  payerEmail: text('ADDRESS', 'E-mail address of the payer, for risk lists and velocity.'),
  payerIp: text('ADDRESS', 'IP address of the payer, for risk lists and velocity.'),
  brand: text('CODE', 'A brand of the catalogue instead of a card.'),
  wallet: value('WALLET', 'A wallet with a decrypted token.', readers.oneOf(wallets)),
  protocol: value('PROTOCOL', 'Protocol; default S2S_CARD.', readers.oneOf(protocols)),
  channel: text('CHANNEL', 'Channel of the payment.'),
  motoType: text('TYPE', 'Type of mail or telephone order.'),
  auth: flag('Authorises only (a hold).'),
  recurring: value('STEP', 'Recurring step: init or charge.', readers.oneOf(['init', 'charge'])),
  test: flag('Test mode instead of live mode.'),
  seed: text('TEXT', 'Seed for weighted choices, for example a payment id.'),
  draft: value('SET', 'With the draft of this set: merchant or global.', readers.oneOf(['merchant', 'global'])),
  json: flag('Prints JSON.'),
}

export const routingQuestions: readonly Command[] = [
  command({
    name: 'routing explain',
    summary: 'Explains why a payment was sent to its MID, and why no further attempt followed.',
    args: { paymentId: argument('TRANS_ID', readers.uuid) },
    options: { json: flag('Prints the stored record as JSON.') },
    async run(context, { paymentId }, { json }) {
      await using instance = await openInstance(context)
      const decision = explainedPayment(await requirePayment(instance, paymentId))
      if (json) printJson(context.output, decision)
      else for (const sentence of decision.sentences) context.output.out(sentence)
    },
  }),

  command({
    name: 'routing simulate',
    summary: 'Shows how a payment would be routed, and why. Nothing is stored.',
    args: {},
    options: simulationOptions,
    examples: ['gatehouse routing simulate --merchant demo --bin 411111 --amount 5000 --draft global'],
    async run(context, _args, options) {
      const { merchant: name, json, draft } = options
      if (name === undefined) throw new CommandError('--merchant is missing.', 'Give the merchant of the payment.')
      await using instance = await openInstance(context)
      await using routing = await openRoutingContext(instance)
      const { id: merchantId } = await requireMerchant(instance.pool, name)
      const payment = hypotheticalOf(merchantId, options)
      const ruleSet = draft === 'merchant' ? merchantId : 'global'
      const rulesChoice = { ruleSet, rules: draft === undefined ? ('published' as const) : ('draft' as const) }
      const decision = await withPanelRefusals(simulateFor(routing, payment, rulesChoice))
      if (json) printJson(context.output, decision)
      else show(context.output, decision)
    },
  }),

  command({
    name: 'routing replay',
    summary: 'Lists recent payments that the draft would route differently.',
    details: 'Press Ctrl-C to stop; results so far stay on the screen.',
    args: {},
    options: {
      merchant: text('MERCHANT', 'The draft and payments of this merchant; default: of all merchants.'),
      days: value('N', 'Number of days; default 7.', readers.wholeNumber(1, limits.routing.replayDays)),
      lists: value('WHEN', 'Risk lists as they were then (default) or are now.', readers.oneOf(['then', 'now'])),
      json: flag('Prints one JSON object per line.'),
    },
    async run(context, _args, { merchant: name, days = 7, lists = 'then', json }) {
      await using instance = await openInstance(context)
      await using routing = await openRoutingContext(instance)
      const ruleSet = await requireRuleSet(instance, name)
      let found = 0
      let seen = 0
      for await (const { step, examined, total } of steps(routing, { ruleSet, rules: 'draft', days, lists })) {
        for (const one of step.changed) context.output.out(json ? writeJson(one) : changeText(one))
        found += step.changed.length
        seen = examined
        if (step.next === null || context.signal.aborted) break
        context.output.err(`${examined} of ${total} payments …`)
      }
      context.output.err(`${found} of ${seen} payments would have a different result.`)
    },
  }),
]

/** Yields one step after the other, until the last or until the caller stops reading. */
async function* steps(routing: RoutingQuestionContext, request: Omit<ReplayRequest, 'before'>) {
  let before: string | null = null
  let examined = 0
  let total = 0
  do {
    const step: ReplayStep = await withPanelRefusals(replayStep(routing, { ...request, before }))
    before = step.next
    examined += step.examined
    total = step.total ?? total
    yield { step, examined, total }
  } while (before !== null && examined < limits.routing.replayPayments)
}

const changeText = ({ paymentId, wentTo, wouldGoTo, result, effects }: ChangedPayment): string => {
  const words = effects.map(({ action, applies }) => (applies ? action : `no ${action}`))
  return `${paymentId}  ${wentTo ?? '-'} -> ${wouldGoTo ?? result}  ${words.join(', ')}`
}

function hypotheticalOf(merchantId: string, options: OptionValues<typeof simulationOptions>): HypotheticalPayment {
  const { brand = null, wallet = null, recurring = 'none' } = options
  return {
    merchantId,
    mode: options.test ? 'test' : 'live',
    protocol: options.protocol ?? 'S2S_CARD',
    kind: 'sale',
    auth: options.auth ?? false,
    recurring,
    initiator: recurring === 'charge' ? 'merchant' : 'cardholder',
    channel: options.channel ?? null,
    currency: options.currency ?? 'EUR',
    amountMinor: options.amount ?? 1000n,
    bin: options.bin ?? (brand === null ? '411111' : null),
    network: null,
    issuerCountry: options.issuerCountry ?? null,
    funding: null,
    panType: wallet === null ? null : 'DPAN',
    wallet,
    brand,
    payerCountry: options.payerCountry ?? null,
    payerEmail: options.payerEmail ?? null,
    payerIp: options.payerIp ?? null,
    motoType: options.motoType ?? null,
    customData: null,
    saveCard: false,
    at: null,
    seed: options.seed ?? 'simulation',
  }
}

async function requirePayment({ pool }: Instance, paymentId: string): Promise<PaymentRecord> {
  const [found] = await searchPayments(pool, { paymentId }, null, 1)
  const payment = found && (await paymentStore(pool).find(found.merchantId, paymentId))
  if (!payment)
    throw new CommandError(`There is no payment ${paymentId}.`, 'TRANS_ID is the trans_id of a response or callback.')
  return payment
}

function show(output: Output, decision: ExplainedDecision): void {
  const { result, midName, threeDs, maximumAttempts, recovery, sentences } = decision
  const rows = [
    ['result', result],
    ['first MID', midName],
    ['3-D Secure', threeDs],
    ['attempts', maximumAttempts],
    ['unknown outcome', recovery],
  ] as const
  output.out(table(['question', 'answer'], rows))
  output.out('')
  for (const sentence of sentences) output.out(sentence)
}
