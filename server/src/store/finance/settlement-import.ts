/**
 * Writes a settlement file: its rows with the transactions that they belong to, their postings and the differences, in portions, all in the transaction
 * of the caller. Chapter 60 §5, decisions/imports#matching and decisions/imports#rests-between-portions.
 */
import type { RowDifferenceKind } from '#domain/settlement/settlement-match.ts'
import type { SettlementRow } from '#domain/settlement/settlement-row.ts'
import { uncheckedDays } from '#domain/settlement/unchecked-days.ts'
import { type Nothing, type PoolClient, query, sql } from '../database/pool.ts'
import { readByIndexAlone, readInAnyWay } from './by-index-alone.ts'
import type { Pace } from './import-pace.ts'
import { findMissing } from './missing-settlements.ts'

/** Imports of one MID follow each other, so that each sees the rows of the one before. */
const lockMid = sql<Nothing, readonly [string]>(
  'settlement.lock',
  `select pg_advisory_xact_lock(hashtextextended('settlement ' || $1, 0))`,
)

interface SettlementFile {
  readonly name: string
  readonly format: string
  readonly sha256: string
  readonly importedBy: string
  readonly importedAt: Date
}

const insertFile = sql<Nothing, readonly unknown[]>(
  'settlement.insert-file',
  `insert into settlement_files (id, mid_id, name, format, sha256, row_count, imported_by, imported_at, matched)
   values ($1, $2, $3, $4, $5, 0, $6, $7, 0)`,
)

type Value = string | number | bigint | null

// Each column is an array of its own: with the same rows as JSON the statement took a sixth longer.
// biome-ignore format: a table is read in columns.
const rowColumns: readonly (readonly [name: string, type: string, read: (of: Omit<MatchedRow, 'difference'>) => Value])[] = [
  // column               type       value
  [ 'ref',                 'text',    ({ row }) => row.ref                            ],
  [ 'line',                'int',     ({ row }) => row.line                           ],
  [ 'kind',                'text',    ({ row }) => row.kind                           ],
  [ 'named_payment',       'uuid',    ({ row }) => row.paymentId                      ],
  [ 'named_transaction',   'uuid',    ({ row }) => row.transactionId                  ],
  [ 'reference',           'text',    ({ row }) => row.reference                      ],
  [ 'currency',            'text',    ({ row }) => row.currency                       ],
  [ 'gross_minor',         'numeric', ({ row }) => row.grossMinor                     ],
  [ 'fee_minor',           'numeric', ({ row }) => row.feeMinor                       ],
  [ 'net_minor',           'numeric', ({ row }) => row.netMinor                       ],
  [ 'booked_on',           'date',    ({ row }) => row.bookedOn                       ],
  [ 'payout',              'text',    ({ row }) => row.payout                         ],
  [ 'processing_currency', 'text',    ({ row }) => row.conversion?.currency ?? null   ],
  [ 'processing_minor',    'numeric', ({ row }) => row.conversion?.grossMinor ?? null ],
  [ 'rate',                'numeric', ({ row }) => row.conversion?.rate ?? null       ],
  [ 'merchant_id',         'uuid',    ({ match }) => match?.merchantId ?? null        ],
  [ 'payment_id',          'uuid',    ({ match }) => match?.paymentId ?? null         ],
  [ 'transaction_id',      'uuid',    ({ match }) => match?.id ?? null                ],
]
const rowNames = rowColumns.map(([name]) => name).join(', ')
const firstColumn = 4
const rowArrays = rowColumns.map(([, type], index) => `$${index + firstColumn}::${type}[]`).join(', ')

/**
 * With the postings of each row: what the acquirer paid, and what it kept. If it converted the payment, it settles it to the account of exchange in the
 * payment's currency, and pays from that account in its own: each currency stays balanced.
 */
const insertRows = sql<{ line: number }, readonly unknown[]>(
  'settlement.insert-rows',
  `with written as (
     insert into settlement_rows (mid_id, file_id, ${rowNames})
     select $1::uuid, $2::uuid, ${rowNames} from unnest(${rowArrays}) given (${rowNames})
     on conflict (mid_id, ref) do nothing
     returning line, ref, merchant_id, currency, net_minor, fee_minor, booked_on, processing_currency, processing_minor
   ), posted as (
     insert into book_entries (source, position, mid_id, merchant_id, from_account, to_account, currency, amount_minor, on_day, at)
     select 'settlement ' || $1::uuid || ' ' || r.ref, moved.position, $1::uuid, r.merchant_id,
       case when moved.minor > 0 then moved.payer else moved.payee end, case when moved.minor > 0 then moved.payee else moved.payer end,
       moved.currency, abs(moved.minor), r.booked_on, $3
     from written r cross join lateral (select case when r.processing_currency is null then 'acquirer' else 'exchange' end as account) paying
       cross join lateral (values (0, paying.account, 'bank', r.currency, r.net_minor), (1, paying.account, 'acquirer_fees', r.currency, r.fee_minor),
         (2, 'acquirer', 'exchange', r.processing_currency, r.processing_minor)) moved (position, payer, payee, currency, minor)
     where moved.minor <> 0
   ) select line from written`,
)

const insertDifferences = sql<Nothing, readonly [string, string, Date, string]>(
  'settlement.insert-differences',
  `insert into settlement_differences (id, mid_id, day, kind, currency, ours_minor, theirs_minor, merchant_id, payment_id, transaction_id, ref,
     file_id, found_at)
   select gen_random_uuid(), $1, day, kind, currency, ours, theirs, "merchantId", "paymentId", "transactionId", ref, $2, $3
   from jsonb_to_recordset($4::jsonb) as given (day date, kind text, currency text, ours numeric, theirs numeric, "merchantId" uuid,
     "paymentId" uuid, "transactionId" uuid, ref text)
   on conflict do nothing`,
)

/** Asks for the rows of each missing transaction, of which there are fewer than rows of a large file. */
const resolveArrived = sql<Nothing, readonly [string, string, Date]>(
  'settlement.resolve-arrived',
  `with missing as materialized (
     select id, transaction_id, kind from settlement_differences
     where mid_id = $1 and kind in ('missing-there', 'reversal-missing') and resolved_at is null
   ), arrived as materialized (
     select id, (
       select (array_agg(r.ref order by r.line))[1] from settlement_rows r where r.transaction_id = m.transaction_id and r.file_id = $2
         and (r.kind = 'chargeback-reversal') = (m.kind = 'reversal-missing')
     ) as ref
     from missing m
   ) update settlement_differences d set resolved_at = $3, note = 'The acquirer settled it later, in row ' || arrived.ref || '.'
   from arrived where d.id = arrived.id and arrived.ref is not null and d.resolved_at is null`,
)

interface FileEnd {
  readonly rowCount: number
  readonly matched: number
  /** Null if the file has no rows. */
  readonly firstDay: string | null
  readonly lastDay: string | null
}

const endFile = sql<Nothing, readonly unknown[]>(
  'settlement.end-file',
  'update settlement_files set row_count = $2, matched = $3, first_day = $4, last_day = $5 where id = $1',
)

const nameContent = sql<Nothing, readonly [string, string]>(
  'settlement.name-content',
  'update settlement_files set sha256 = $2 where id = $1',
)

const filesOfMid = sql<Parameters<typeof uncheckedDays>[0][number], readonly [string]>(
  'settlement.days-of-files',
  `select id, first_day::text as "firstDay", last_day::text as "lastDay", (imported_at at time zone 'UTC')::date::text as "importedOn"
   from settlement_files where mid_id = $1`,
)

/** A row of the file with the transaction that it belongs to, and the difference between the two. */
export interface MatchedRow {
  readonly row: SettlementRow & { readonly line: number }
  readonly match: { readonly merchantId: string; readonly paymentId: string; readonly id: string } | null
  readonly difference: {
    readonly kind: RowDifferenceKind
    readonly currency: string
    readonly oursMinor: bigint | null
    readonly theirsMinor: bigint
  } | null
}

export function settlementImport(client: PoolClient, midId: string, fileId: string) {
  return {
    lock: async (): Promise<void> => {
      // A file of a million rows takes minutes, and its transaction waits while the file is read.
      await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
      await query(client, lockMid, [midId])
    },
    begin: async ({ name, format, sha256, importedBy, importedAt }: SettlementFile): Promise<void> => {
      await query(client, insertFile, [fileId, midId, name, format, sha256, importedBy, importedAt])
      // Rows name their file, which is there: checked with each portion, a million of them do not wait for the end.
      await client.query('set constraints all immediate')
      await readByIndexAlone(client)
    },
    /** The lines whose row was not imported before. They are posted. */
    write: async (rows: readonly MatchedRow[], at: Date): Promise<ReadonlySet<number>> => {
      const values = rowColumns.map(([, type, read]) => arrayOf(type, rows.map(read)))
      const written = await query(client, insertRows, [midId, fileId, at, ...values])
      const differences = rows.flatMap(differenceValues)
      if (differences.length > 0)
        await query(client, insertDifferences, [midId, fileId, at, JSON.stringify(differences)])
      return new Set(written.map(({ line }) => line))
    },
    /** Of a file whose content was not known when it began. */
    nameContent: async (sha256: string): Promise<void> => {
      await query(client, nameContent, [fileId, sha256])
    },
    /** Finds what the acquirer should have settled. */
    finish: async ({ rowCount, matched, firstDay, lastDay }: FileEnd, at: Date, pace: Pace): Promise<void> => {
      await query(client, endFile, [fileId, rowCount, matched, firstDay, lastDay])
      const days = uncheckedDays(await query(client, filesOfMid, [midId]), fileId)
      // The database knows nothing of the rows that this transaction wrote. Other imports wait here until this one has ended. It also makes the next
      // statement planned anew, with what is known of payments now.
      await client.query('analyze settlement_rows')
      await findMissing(client, { midId, fileId, at }, days, pace)
      await readInAnyWay(client)
    },
    /** Resolves what was missing until this file. It keeps those differences locked, so it comes last. */
    resolveArrived: async (at: Date): Promise<void> => {
      await readByIndexAlone(client)
      await query(client, resolveArrived, [midId, fileId, at])
      await readInAnyWay(client)
    },
  }
}

/**
 * The server fills the columns that end early, so that one without any value costs nothing. The driver would quote each value, which only texts need.
 */
function arrayOf(type: string, values: readonly Value[]): readonly Value[] | string {
  if (values.every((value) => value === null)) return []
  return type === 'text' ? values : `{${values.map((value) => value ?? 'NULL').join()}}`
}

function differenceValues({ row, match, difference }: MatchedRow) {
  if (difference === null) return []
  const { kind, currency, oursMinor, theirsMinor } = difference
  return [
    {
      day: row.bookedOn,
      kind,
      currency,
      ours: oursMinor === null ? null : String(oursMinor),
      theirs: String(theirsMinor),
      merchantId: match?.merchantId ?? null,
      paymentId: match?.paymentId ?? row.paymentId,
      transactionId: match?.id ?? null,
      ref: row.ref,
    },
  ]
}
