/** What each command of the crash plan needs beforehand, how it is sent, and who repeats a request after the crash. */
import { dayMs } from '#domain/time.ts'
import { apmFollowUp, apmPayout, apmSale } from '../stage/apm-requests.ts'
import {
  agreeAtAcquirer,
  chargeChain,
  comeBack,
  createSchedule,
  payOut,
  sendPayerAway,
  startChain,
} from '../stage/chain-requests.ts'
import { type Fields, goodCard, type Reply } from '../stage/merchant.ts'
import type { Stage } from '../stage/stage.ts'
import { forgetKeys, mintToken, payWithToken, type TokenSale } from '../stage/wallet-requests.ts'
import { type Command, plansAtOnce, salesAtOnce } from './crash-plan.ts'

interface Scene {
  /** Prepares the stage up to the command; returns how to send it to the gateway's address at that time. */
  prepare(stage: Stage, url: string, orderId: string): Promise<SendCommand>
  /** The payer, who got no page, loads it again after the restart. */
  readonly payerReloads?: boolean
  /** A transaction waits for the payer when the command is sent. */
  readonly payerStepIsOpen?: boolean
  /** The process can miss its point, because the machine decides what happens at the same time; the scene is then prepared again. */
  readonly canMiss?: boolean
}

type SendCommand = (url: string) => Promise<Reply>

const expiryFields = (month: string, year: string): Fields => ({ card_exp_month: month, card_exp_year: year })

/** A network without a retry budget, and the expiry whose recurring payments are declined softly. Chapter 10 §12. */
const retriedCard: Fields = { card_number: '378282246310005', ...expiryFields('01', '2039') }
/** Such a card that fails at the first MID of an order and succeeds at the next. */
const cascadingCard: Fields = { card_number: '378282246310005', ...expiryFields('03', '2040') }
/** The payer is sent to 3-D Secure, and then pays. */
const challengedCard = expiryFields('05', '2038')
/** The payer is sent to a page of the acquirer. */
const redirectedCard = expiryFields('12', '2038')
const payeeCard = '4601541833776519'

const first = (fields: Fields): Scene => ({
  prepare:
    async ({ merchant }, _, orderId) =>
    (url) =>
      merchant.sale(url, orderId, fields),
})

/** Answered if all of them are. */
const atOnce = (count: number): Scene => ({
  prepare:
    async ({ merchant }, _, orderId) =>
    async (url) => {
      const orderIds = Array.from({ length: count }, (_, index) => (index === 0 ? orderId : `${orderId}-${index + 1}`))
      const replies = await Promise.all(orderIds.map((each) => merchant.sale(url, each)))
      return (
        replies.find(({ answered }) => !answered) ?? replies[0] ?? { answered: false, sent: false, reason: 'None.' }
      )
    },
  canMiss: true,
})

const followUp = (action: string, fields: Fields): Scene => ({
  prepare: async ({ merchant }, url, orderId) => {
    const transId = transIdOf(await merchant.sale(url, orderId, fields))
    return (address) => merchant.followUp(address, action, transId)
  },
})

const onChain = (action: string, fields: Fields): Scene => ({
  prepare: async (stage, url, orderId) => {
    const chain = await startChain(stage, url, `${orderId}-first`, fields)
    return (address) => chargeChain(stage, address, orderId, { ...chain, action })
  },
})

const retry: Scene = {
  prepare: async (stage, url, orderId) => {
    const chain = await startChain(stage, url, `${orderId}-first`, retriedCard)
    const charge = { action: 'RECURRING_SALE', ...retriedCard }
    const transId = transIdOf(await chargeChain(stage, url, orderId, { ...chain, ...charge }))
    // Formula 1, which is accepted like Formula 2 here and covers the card. Chapter 10 §7.2.
    return (address) => stage.merchant.sale(address, orderId, { action: 'RETRY', trans_id: transId, ...retriedCard })
  },
}

/** The token is minted before, so that only the payment is killed. Wallet B has no key here, so its tokens stay unopened. */
const wallet = (kind: Pick<TokenSale, 'wallet' | 'protocol'>, unopened = false): Scene => ({
  prepare: async (stage, url, orderId) => {
    if (unopened) await forgetKeys(stage, kind.wallet)
    const token = await mintToken(stage, url, kind.wallet)
    return (address) => payWithToken(stage, address, { ...kind, orderId, token })
  },
})

const onApm = (action: string, fields: Fields): Scene => ({
  prepare: async (stage, url, orderId) => {
    const transId = transIdOf(await apmSale(stage, url, orderId, { over: fields }))
    return (address) => apmFollowUp(stage, address, { action, transId })
  },
})

/** A plan's payment has no request: its day comes. */
const duePlans = (count: number): Scene => ({
  prepare: async (stage, url, orderId) => {
    const schedule = { interval_length: '1', interval_unit: 'day', payments_count: '1' }
    const schedule_id = await createSchedule(stage, url, schedule)
    await startChain(stage, url, orderId, { schedule_id })
    for (let number = 2; number <= count; number += 1)
      await startChain(stage, url, `${orderId}-${number}`, { schedule_id })
    return async () => {
      await stage.advance(dayMs)
      return { answered: false, sent: true, reason: 'The clock does not answer.' }
    }
  },
})

const payerReturn: Scene = {
  prepare: async (stage, url, orderId) => {
    const path = await sendPayerAway(stage, url, orderId, challengedCard)
    return (address) => comeBack(stage, address, path)
  },
  payerReloads: true,
  payerStepIsOpen: true,
  canMiss: true,
}

const redirectReturn: Scene = {
  prepare: async (stage, url, orderId) => {
    const path = await agreeAtAcquirer(stage, url, orderId, redirectedCard)
    return (address) => comeBack(stage, address, path)
  },
  payerReloads: true,
  payerStepIsOpen: true,
  canMiss: true,
}

// biome-ignore format: a table is read in columns.
export const scenes: Readonly<Record<Command, Scene>> = {
  SALE:            first({}),
  SALES:           atOnce(salesAtOnce),
  AUTH:            first({ action: 'AUTH' }),
  CAPTURE:         followUp('CAPTURE', { auth: 'Y' }),
  CREDITVOID:      followUp('CREDITVOID', {}),
  VOID:            followUp('VOID', {}),
  DEBIT:           first({ action: 'DEBIT' }),
  CARD2CARD:       first({ action: 'CARD2CARD', payee_card_number: payeeCard }),
  CREDIT2CARD:     { prepare: async (stage, _, orderId) => (url) => payOut(stage, url, orderId, goodCard['card_number'] ?? '') },
  RECURRING_SALE:  onChain('RECURRING_SALE', {}),
  RECURRING_DEBIT: onChain('RECURRING_DEBIT', { action: 'DEBIT' }),
  CASCADE:         first(cascadingCard),
  CASCADE_NEXT:    first(cascadingCard),
  WALLET:          wallet({ wallet: 'walletapay', protocol: 's2s-card' }),
  WALLET_APM:      wallet({ wallet: 'walletapay', protocol: 's2s-apm' }),
  WALLET_VIRTUAL:  wallet({ wallet: 'walletbpay', protocol: 's2s-apm' }, true),
  APM_SALE:        { prepare: async (stage, _, orderId) => (url) => apmSale(stage, url, orderId) },
  APM_CAPTURE:     onApm('CAPTURE', { auth: 'Y' }),
  APM_CREDITVOID:  onApm('CREDITVOID', {}),
  APM_PAYOUT:      { prepare: async (stage, _, orderId) => (url) => apmPayout(stage, url, orderId) },
  RETRY:           retry,
  PLAN:            duePlans(1),
  PLANS:           duePlans(plansAtOnce),
  RETURN:          payerReturn,
  CHARGE:          payerReturn,
  REDIRECT:        redirectReturn,
}

function transIdOf(reply: Reply): string {
  const transId = reply.answered ? reply.body.trans_id : undefined
  if (transId === undefined) throw new Error(`No payment could be made: ${JSON.stringify(reply)}`)
  return transId
}
