/** Commissions on debits in command-line notation: `EUR:0.20+3.5%`, or one part alone. Chapter 20 §12.2. */

import { type Commission, type Commissions, readCommissions } from '#domain/money/commission.ts'
import { formatAmount } from '#domain/money/money.ts'
import { accept, refuse } from '#domain/reading.ts'
import type { Reader } from './readers.ts'

type CurrencyCommission = readonly [currency: string, commission: Commission]

const form = /^([A-Za-z]{3}):(?:([0-9.]+)(?:\+([0-9.]+)%)?|([0-9.]+)%)$/

export const debitCommission: Reader<CurrencyCommission> = (text) => {
  const [, code = '', fixed = '0', besideFixed, alone] = form.exec(text) ?? []
  const currency = code.toUpperCase()
  const read = readCommissions({ [currency]: { fixed, percent: besideFixed ?? alone ?? '0' } })
  const commission = read.ok ? read.commissions.get(currency) : undefined
  return commission ? accept([currency, commission]) : refuse('a commission such as EUR:0.20+3.5%')
}

export const commissionTexts = (commissions: Commissions): readonly string[] =>
  [...commissions].map(([currency, { fixedMinor, percent }]) => {
    const fixed = formatAmount(fixedMinor, currency)
    return `${currency}:${fixed}+${percent}%`
  })
