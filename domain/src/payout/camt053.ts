/** A bank statement, ISO 20022 `camt.053` of any version: its booked lines, one per transfer where the bank lists them, and its days. */
import { parseAmount } from '../money/money.ts'
import { isBookingDay } from '../schedule/day.ts'
import { allAt, type Element, readXml, textAt, XmlFault } from './xml.ts'

export interface BankLine {
  /** The bank's account of the statement. */
  readonly account: string
  /** Unique within the account. */
  readonly ref: string
  readonly currency: string
  /** Negative for money that left the account. */
  readonly amountMinor: bigint
  /** `YYYY-MM-DD`. */
  readonly bookedOn: string
  readonly endToEndId: string | null
  /** The run that the bank booked as one sum. */
  readonly batchId: string | null
  readonly text: string
  /** Who paid, for money that came in; null if the bank does not say. */
  readonly party: string | null
}

/** The days of an account that a statement is about. */
export interface BankCoverage {
  readonly account: string
  readonly currency: string
  readonly firstDay: string
  readonly lastDay: string
}

interface BankStatement {
  readonly lines: readonly BankLine[]
  readonly covered: readonly BankCoverage[]
}

/** Throws `XmlFault` for a file that is no bank statement, or has a line that cannot be read. */
export function readBankStatement(content: string): BankStatement {
  const statements = allAt(readXml(content), 'BkToCstmrStmt', 'Stmt')
  if (statements.length === 0) throw new XmlFault('The file is not a bank statement (camt.053).')
  const read = statements.map((statement) => {
    const account = textAt(statement, 'Acct', 'Id', 'IBAN') ?? textAt(statement, 'Acct', 'Id', 'Othr', 'Id')
    if (account === null) throw new XmlFault('The statement names no account.')
    const id = textAt(statement, 'Id') ?? ''
    const lines = allAt(statement, 'Ntry').flatMap((entry, index) => linesOf(entry, account, `${id}/${index + 1}`))
    return { lines, covered: coverageOf(statement, account, lines) }
  })
  return { lines: read.flatMap(({ lines }) => lines), covered: read.flatMap(({ covered }) => covered) }
}

/** By the period that the statement names, or its closing balance, or else its lines. */
function coverageOf(statement: Element, account: string, lines: readonly BankLine[]): readonly BankCoverage[] {
  const dayAt = (within: Element, ...path: readonly string[]): string | null => {
    const text = (textAt(within, ...path) ?? '').slice(0, 10)
    return isBookingDay(text) ? text : null
  }
  const balances = allAt(statement, 'Bal')
  const closing = balances.find((one) => textAt(one, 'Tp', 'CdOrPrtry', 'Cd') === 'CLBD')
  const closedOn = (closing && dayAt(closing, 'Dt', 'Dt')) ?? ''
  const days = lines.map(({ bookedOn }) => bookedOn).toSorted()
  const firstDay = dayAt(statement, 'FrToDt', 'FrDtTm') ?? days[0] ?? closedOn
  const lastDay = dayAt(statement, 'FrToDt', 'ToDtTm') ?? (closedOn || days.at(-1) || '')
  if (firstDay === '' || lastDay < firstDay) return []
  const own = [textAt(statement, 'Acct', 'Ccy'), ...balances.map((one) => allAt(one, 'Amt')[0]?.attributes.get('Ccy'))]
  const currencies = new Set([...own, ...lines.map(({ currency }) => currency)])
  return [...currencies].flatMap((currency) => (currency ? [{ account, currency, firstDay, lastDay }] : []))
}

function linesOf(entry: Element, account: string, place: string): readonly BankLine[] {
  const state = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts')
  if (state !== 'BOOK') return []
  const bookedOn = (textAt(entry, 'BookgDt', 'Dt') ?? textAt(entry, 'BookgDt', 'DtTm') ?? '').slice(0, 10)
  if (!isBookingDay(bookedOn))
    throw new XmlFault(`Entry ${place} has no booking date such as 2026-03-01, from 2000 to 2099.`)
  const direction = textAt(entry, 'CdtDbtInd')
  if (direction !== 'CRDT' && direction !== 'DBIT') throw new XmlFault(`Entry ${place} says neither CRDT nor DBIT.`)
  const ref = textAt(entry, 'AcctSvcrRef') ?? textAt(entry, 'NtryRef') ?? place
  const details = allAt(entry, 'NtryDtls', 'TxDtls')
  const amounts = details.map((one) => allAt(one, 'Amt')[0] ?? allAt(one, 'AmtDtls', 'TxAmt', 'Amt')[0])
  const isListed = details.length > 1 && amounts.every((amount) => amount !== undefined)
  const parts = isListed ? details : [details[0] ?? null]
  return parts.map((part, index) => {
    const amount = (isListed ? amounts[index] : null) ?? allAt(entry, 'Amt')[0]
    const { currency, minor } = amountOf(amount, place)
    const endToEndId = part && textAt(part, 'Refs', 'EndToEndId')
    return {
      account,
      ref: isListed ? `${ref}/${index + 1}` : ref,
      currency,
      amountMinor: direction === 'DBIT' ? -minor : minor,
      bookedOn,
      endToEndId: endToEndId === 'NOTPROVIDED' ? null : endToEndId,
      batchId:
        details.length > 1
          ? null
          : (textAt(entry, 'NtryDtls', 'Btch', 'PmtInfId') ?? (part && textAt(part, 'Refs', 'PmtInfId'))),
      text: part
        ? allAt(part, 'RmtInf', 'Ustrd')
            .map((one) => one.text.trim())
            .join(' ')
        : (textAt(entry, 'AddtlNtryInf') ?? ''),
      party: direction === 'CRDT' && part ? payerOf(part) : null,
    }
  })
}

const payerOf = (details: Element): string | null =>
  textAt(details, 'RltdPties', 'Dbtr', 'Nm') ?? textAt(details, 'RltdPties', 'Dbtr', 'Pty', 'Nm')

function amountOf(element: Element | undefined, place: string): { readonly currency: string; readonly minor: bigint } {
  const currency = element?.attributes.get('Ccy') ?? ''
  // Banks write trailing zeros beyond the currency's decimals.
  const [whole = '', fraction = ''] = (element?.text.trim() ?? '').split('.')
  const written = fraction.replace(/0+$/, '')
  const amount = parseAmount(written === '' ? whole : `${whole}.${written}`, currency)
  if (typeof amount === 'string') throw new XmlFault(`Entry ${place} has no amount in a known currency.`)
  return { currency, minor: amount.minor }
}
