/**
 * A payout run as a file for the bank: ISO 20022 `pain.001.001.09`, one payment information with one transfer per merchant. Names and texts have the
 * letters of SEPA in every currency: beyond SEPA, banks pass them on through networks that know no others. See decisions/payouts#letters-of-sepa.
 */
import { formatAmount } from '../money/money.ts'
import { type BankAccount, isIban } from './bank-account.ts'
import { bankName, bankText } from './bank-text.ts'
import { escapeXml } from './xml.ts'

interface Transfer {
  /** Returned by the bank with the booked transfer; at most 35 characters. */
  readonly endToEndId: string
  readonly amountMinor: bigint
  readonly to: BankAccount
  readonly text: string
}

interface TransferRun {
  /** Unique for the bank, which refuses a file that it has seen; at most 35 characters. */
  readonly messageId: string
  readonly createdAt: Date
  /** `YYYY-MM-DD`. */
  readonly executeOn: string
  readonly currency: string
  readonly from: BankAccount
  readonly transfers: readonly Transfer[]
}

export function painFile({ messageId, createdAt, executeOn, currency, from, transfers }: TransferRun): string {
  const count = String(transfers.length)
  const total = formatAmount(
    transfers.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    currency,
  )
  const isSepa = currency === 'EUR' && [from, ...transfers.map(({ to }) => to)].every(({ number }) => isIban(number))
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">',
    '<CstmrCdtTrfInitn>',
    '<GrpHdr>',
    element('MsgId', messageId),
    element('CreDtTm', createdAt.toISOString().slice(0, 19)),
    element('NbOfTxs', count),
    element('CtrlSum', total),
    `<InitgPty>${element('Nm', bankName(from.holder))}</InitgPty>`,
    '</GrpHdr>',
    '<PmtInf>',
    element('PmtInfId', messageId),
    element('PmtMtd', 'TRF'),
    element('NbOfTxs', count),
    element('CtrlSum', total),
    ...(isSepa ? ['<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>'] : []),
    `<ReqdExctnDt>${element('Dt', executeOn)}</ReqdExctnDt>`,
    `<Dbtr>${element('Nm', bankName(from.holder))}</Dbtr>`,
    `<DbtrAcct>${accountId(from)}</DbtrAcct>`,
    `<DbtrAgt>${agent(from)}</DbtrAgt>`,
    element('ChrgBr', isSepa ? 'SLEV' : 'SHAR'),
    ...transfers.map((transfer) => transferText(transfer, currency)),
    '</PmtInf>',
    '</CstmrCdtTrfInitn>',
    '</Document>',
  ]
  return `${lines.join('\n')}\n`
}

const transferText = ({ endToEndId, amountMinor, to, text }: Transfer, currency: string): string =>
  [
    '<CdtTrfTxInf>',
    `<PmtId>${element('EndToEndId', endToEndId)}</PmtId>`,
    `<Amt><InstdAmt Ccy="${escapeXml(currency)}">${formatAmount(amountMinor, currency)}</InstdAmt></Amt>`,
    ...(to.bic === null ? [] : [`<CdtrAgt>${agent(to)}</CdtrAgt>`]),
    `<Cdtr>${element('Nm', bankName(to.holder))}</Cdtr>`,
    `<CdtrAcct>${accountId(to)}</CdtrAcct>`,
    `<RmtInf>${element('Ustrd', bankText(text))}</RmtInf>`,
    '</CdtTrfTxInf>',
  ].join('\n')

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`

const accountId = ({ number }: BankAccount): string =>
  isIban(number) ? `<Id>${element('IBAN', number)}</Id>` : `<Id><Othr>${element('Id', number)}</Othr></Id>`

const agent = ({ bic }: BankAccount): string =>
  `<FinInstnId>${bic === null ? '<Othr><Id>NOTPROVIDED</Id></Othr>' : element('BICFI', bic)}</FinInstnId>`
