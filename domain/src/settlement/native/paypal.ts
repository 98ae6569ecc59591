/**
 * PayPal's Settlement Report (STL), version 2 and later, as CSV (developer.paypal.com, read in November 2026).
 *
 * Lines begin with a code: CH names the columns, SB is a row, SC counts the rows of a section and RC those of the report. Amounts are in
 * minor units with CR or DR beside them.
 */
import {
  directedKind,
  headingOf,
  isMatchedKind,
  missingColumns,
  type NativeLine,
  type NativeReader,
  namedCells,
  noRow,
  paymentIn,
} from './native-form.ts'

const required = [
  'Transaction ID',
  'Invoice ID',
  'Transaction Event Code',
  'Transaction Initiation Date',
  'Transaction Debit or Credit',
  'Gross Transaction Amount',
  'Gross Transaction Currency',
  'Fee Debit or Credit',
  'Fee Amount',
]

/** By the beginning of the event code; the longest counts. */
// biome-ignore format: a table is read in columns.
const kinds = [
  ['T00',   'charge'],     ['T0001', 'adjustment'],
  ['T01',   'fee'],
  ['T04',   'bank'],
  ['T1107', 'refund'],     ['T1106', 'chargeback'], ['T1201', 'chargeback'],
  ['T1202', 'chargeback-reversal'],                 ['T1205', 'chargeback-reversal'],
] as const

export function readPaypal(): NativeReader {
  let heading: readonly string[] | null = null
  let rows = 0
  let inSection = 0
  let counted: number | null = null
  return {
    read(cells) {
      switch (cells[0]?.replace(/^\uFEFF/, '')) {
        case 'CH':
          heading = headingOf(cells).map((name) => name.replace(/\s+/g, ' '))
          return missingColumns(heading, required) ?? noRow
        case 'SB': {
          if (heading === null)
            return { kind: 'unreadable', text: 'The line CH with the names of the columns is missing.' }
          rows += 1
          inSection += 1
          const named = namedCells(heading, cells)
          return lineOf((name) => named[name] ?? '')
        }
        case 'SC': {
          const announced = Number(cells[1])
          const found = inSection
          inSection = 0
          return announced === found
            ? noRow
            : { kind: 'fault', text: `The line SC announces ${cells[1]} rows, and the section has ${found}.` }
        }
        case 'RC':
          counted = Number(cells[1])
          return noRow
        case 'RH':
        case 'FH':
        case 'SH':
        case 'SF':
        case 'RF':
        case 'FF':
          return noRow
        default:
          return { kind: 'unreadable', text: 'The lines do not begin with the codes of a PayPal settlement report.' }
      }
    },
    close: () => {
      if (counted === null) return 'The line RC with the number of rows is missing: the file was cut.'
      return counted === rows ? null : `The line RC announces ${counted} rows, and the file has ${rows}.`
    },
  }
}

function lineOf(cell: (name: string) => string): NativeLine {
  const code = cell('Transaction Event Code')
  const fitting = kinds
    .filter(([start]) => code.startsWith(start))
    .toSorted(([one], [other]) => other.length - one.length)
  const usual = fitting[0]?.[1] ?? 'adjustment'
  if (usual === 'bank') return noRow
  const gross = parseSigned(cell('Gross Transaction Amount'), cell('Transaction Debit or Credit'))
  const fee = parseSigned(cell('Fee Amount') || '0', cell('Fee Debit or Credit'))
  if (gross === null || fee === null)
    return { kind: 'fault', text: 'The amounts are not whole numbers of minor units.' }
  const kind = directedKind(usual, String(gross))
  const net = gross + fee
  const sums = kind === 'fee' ? { gross: 0n, fee: -net, net } : { gross, fee: -fee, net }
  const isMatched = isMatchedKind(kind)
  return {
    kind: 'row',
    cells: {
      row: cell('Transaction ID'),
      type: kind,
      payment_id: isMatched ? paymentIn(cell('Invoice ID')) : '',
      transaction_id: '',
      reference: isMatched ? cell('Transaction ID') : '',
      currency: cell('Gross Transaction Currency'),
      gross: String(sums.gross),
      fee: String(sums.fee),
      net: String(sums.net),
      date: (cell('Transaction Completion Date') || cell('Transaction Initiation Date'))
        .slice(0, 10)
        .replaceAll('/', '-'),
      payout: '',
      mid: '',
    },
  }
}

/** DR takes from the account. */
function parseSigned(text: string, direction: string): bigint | null {
  if (!/^-?[0-9]{1,30}$/.test(text)) return null
  return direction === 'DR' ? -BigInt(text) : BigInt(text)
}
