/** The card source of SALE and DEBIT: card data, a saved card or a wallet token. Chapter 10 §7.1.1, §7.1.2. */

import { isExpired } from '#domain/card.ts'
import { violations } from '#domain/errors.ts'
import { type Wallet, wallets } from '#domain/mid.ts'
import { isMoto, motoTypes } from '#domain/payment/moto.ts'
import { hasTokenShape } from '../../wallets/tokens/token-shape.ts'
import * as format from '../kit/values/formats.ts'
import { conditional, optional, type Param, withWords } from '../kit/values/params.ts'
import { absentResult, fault, soundResult, violationResult } from '../kit/values/read.ts'
import type { BaseReading, ReadingContext } from '../kit/values/reading.ts'
import { isSent, textIn } from '../kit/values/sent.ts'

type Source = 'card' | 'token' | 'wallet' | 'none'

/** Card data takes precedence over a token, and a token over a wallet pair; half a wallet pair still means the wallet. */
function sourceOf({ tree }: BaseReading): Source {
  if (isSent(tree, 'card_number')) return 'card'
  if (isSent(tree, 'card_token')) return 'token'
  return isSent(tree, 'digital_wallet') || isSent(tree, 'payment_token') ? 'wallet' : 'none'
}

const unlessOther = 'yes, unless `card_token` or a wallet is sent'
const withCard = (reading: ReadingContext) => (['card', 'none'].includes(sourceOf(reading)) ? 'required' : 'ignored')

const code = (reading: ReadingContext) => {
  const source = sourceOf(reading)
  if (source === 'wallet') return 'ignored'
  return source === 'token' || isMoto(textIn(reading.tree, 'moto_type')) ? 'optional' : 'required'
}

const fourDigits = format.patternText(/^[0-9]{4}$/)

/** An expired month is reported under the name of the year. */
const expiryYearBy = (
  when: (reading: ReadingContext) => 'required' | 'ignored',
  words: string,
): Param<number | undefined> => {
  const text = conditional(fourDigits, when)
  return {
    words: { sent: words, holds: 'four digits; with the month not in the past' },
    read: (name, sent, reading) => {
      const year = text.read(name, sent, reading)
      if (!year.ok) return year
      if (year.value === undefined) return absentResult
      const month = textIn(reading.tree, 'card_exp_month') ?? ''
      const isMonth = /^(0[1-9]|1[0-2])$/.test(month)
      const past = isMonth && isExpired({ month: Number(month), year: Number(year.value) }, reading.today)
      return past ? fault(name, violations.notValid) : soundResult(Number(year.value))
    },
  }
}

export const cardParams = {
  card_number: conditional(format.cardNumber, withCard, unlessOther),
  card_exp_month: conditional(format.expiryMonth, withCard, unlessOther),
  card_exp_year: expiryYearBy(withCard, unlessOther),
  card_cvv2: conditional(format.verificationCode, code, `${unlessOther}; may be absent with a MOTO value`),
}

const unlessToken = 'yes, unless `card_token` is sent'
const withoutToken = ({ tree }: ReadingContext) =>
  isSent(tree, 'card_number') || !isSent(tree, 'card_token') ? 'required' : 'ignored'

/** DEBIT has no wallet pair and no MOTO: without a saved card, card data is required. */
export const debitCardParams = {
  card_number: conditional(format.cardNumber, withoutToken, unlessToken),
  card_exp_month: conditional(format.expiryMonth, withoutToken, unlessToken),
  card_exp_year: expiryYearBy(withoutToken, unlessToken),
  card_cvv2: conditional(
    format.verificationCode,
    (reading) => (withoutToken(reading) === 'required' ? 'required' : 'optional'),
    unlessToken,
  ),
}

export const savedCardParams = {
  card_token: conditional(
    format.cardToken,
    (reading) => (sourceOf(reading) === 'token' ? 'required' : 'ignored'),
    'instead of `card_number`; ignored beside it',
  ),
  req_token: conditional(
    format.flag,
    (reading) => (withCard(reading) === 'required' ? 'optional' : 'ignored'),
    'no; ignored without card data',
  ),
}

const ofWallet = 'both or neither, instead of card data'
const forWallet = (reading: ReadingContext) => (sourceOf(reading) === 'wallet' ? 'required' : 'ignored')

interface NamedWallet {
  readonly wallet: Wallet
  readonly sentAs: string
}

/** By its own name or by an alias that the operator gave it. Chapter 10 §7.1.10. */
function namedWallet(sentAs: string, reading: ReadingContext): NamedWallet | null {
  const wallet = wallets.find((one) => one === (reading.brand(sentAs)?.code ?? sentAs))
  return wallet ? { wallet, sentAs } : null
}

const digitalWallet = withWords(
  `\`walletapay\`, \`walletbpay\` or an alias of one`,
  (sent: string, reading: ReadingContext) => {
    const value = namedWallet(sent, reading)
    return value ? soundResult(value) : violationResult(violations.notChoice)
  },
)

/** Not checked for an unknown wallet, whose token format is unknown too; `digital_wallet` reports it. */
const paymentToken = withWords('the JSON of the wallet token, unchanged', (sent: string, reading: ReadingContext) => {
  const named = namedWallet(textIn(reading.tree, 'digital_wallet') ?? '', reading)
  return !named || !reading.checksTokens || hasTokenShape(named.wallet, sent)
    ? soundResult(sent)
    : violationResult(violations.notValid)
})

export const walletParams = {
  digital_wallet: conditional(digitalWallet, forWallet, ofWallet),
  payment_token: conditional(paymentToken, forWallet, ofWallet),
}

const motoFormat = format.choice(...motoTypes)
const anyMoto = optional(motoFormat)

/** MOTO with a wallet token is refused; chapter 10 §7.1.7. */
export const motoType: Param<string | undefined, BaseReading> = {
  words: { sent: 'no', holds: `${motoFormat.says}; none but \`ecommerce\` with a wallet` },
  read: (name, sent, reading) => {
    const read = anyMoto.read(name, sent, reading)
    if (!read.ok || !isMoto(read.value) || sourceOf(reading) !== 'wallet') return read
    return fault(name, violations.notValid)
  },
}
