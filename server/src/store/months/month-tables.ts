/** The tables that are stored in parts by month, in an order in which keys find their targets. See decisions/months#the-last-part-has-no-end. */

interface MonthTable {
  readonly table: string
  /** The column whose time determines the part. */
  readonly key: string
  /** A key that refers to a part of the same month, as in `foreign key (…) references PART (…)`. */
  readonly refersTo?: {
    readonly name: string
    readonly columns: string
    readonly table: string
    readonly target: string
  }
  /** The share of a page, in per cent, that new rows fill; the rest is for their changes. See decisions/callbacks#room-on-pages. */
  readonly fillFactor?: number
  /**
   * The share of rows that have changed since the last analysis before the server analyses the part again, if not its own tenth. See
   * decisions/months#analysis.
   */
  readonly analyseFraction?: number
  /**
   * Columns of which the server keeps no statistics, because no condition is about them and their analysis is slow. See
   * decisions/months#analysis.
   */
  readonly unanalysed?: readonly string[]
}

export const monthTables: readonly MonthTable[] = [
  { table: 'payments', key: 'id', analyseFraction: 0.5, unanalysed: ['routing'] },
  {
    table: 'transactions',
    key: 'payment_id',
    refersTo: {
      name: 'transactions_merchant_id_payment_id_fkey',
      columns: 'merchant_id, payment_id',
      table: 'payments',
      target: 'merchant_id, id',
    },
    analyseFraction: 0.5,
    unanalysed: ['facts'],
  },
  {
    table: 'ledger_entries',
    key: 'payment_id',
    refersTo: {
      name: 'ledger_entries_merchant_id_payment_id_transaction_id_fkey',
      columns: 'merchant_id, payment_id, transaction_id',
      table: 'transactions',
      target: 'merchant_id, payment_id, id',
    },
  },
  {
    table: 'callbacks',
    key: 'payment_id',
    refersTo: {
      name: 'callbacks_merchant_id_payment_id_fkey',
      columns: 'merchant_id, payment_id',
      table: 'payments',
      target: 'merchant_id, id',
    },
    fillFactor: 50,
    analyseFraction: 0.5,
  },
  { table: 'callback_attempts', key: 'callback_id' },
]

/** The part of a table, with its schema. */
export const partOf = (table: string, suffix: string): string => `months.${table}_${suffix}`
