/**
 * Writes the rows of a settlement file, matches them to our transactions and records the differences, all in the transaction of the caller.
 * Chapter 60 §5.
 */
import type { SettlementRow } from '#domain/settlement/settlement-row.ts'
import { type PoolClient, query, sql } from '../database/pool.ts'

/** A row that is booked so many days after its transaction is late; only after that a transaction without a row is missing. */
const usualDays = 5

type Nothing = Record<never, never>

/** Imports of one MID follow each other, so that each sees the rows of the one before. */
const lockMid = sql<Nothing, readonly [string]>(
  'settlement.lock',
  `select pg_advisory_xact_lock(hashtextextended('settlement ' || $1, 0))`,
)

const insertRows = sql<{ line: number }, readonly [string, string, string]>(
  'settlement.insert-rows',
  `insert into settlement_rows (mid_id, ref, file_id, line, kind, named_payment, named_transaction, reference, currency, gross_minor, fee_minor,
     net_minor, booked_on, payout, processing_currency, processing_minor, rate)
   select $1::uuid, ref, $2::uuid, line, kind, "paymentId", "transactionId", reference, currency, gross, fee, net, "bookedOn", payout,
     "processingCurrency", processed, rate
   from jsonb_to_recordset($3::jsonb) as given (ref text, line int, kind text, "paymentId" uuid, "transactionId" uuid, reference text,
     currency text, gross numeric, fee numeric, net numeric, "bookedOn" date, payout text, "processingCurrency" text, processed numeric,
     rate numeric)
   on conflict (mid_id, ref) do nothing returning line`,
)

interface SettlementFile {
  readonly id: string
  readonly midId: string
  readonly name: string
  readonly format: string
  readonly sha256: string
  readonly rowCount: number
  readonly importedBy: string
  readonly importedAt: Date
}

const insertFile = sql<Nothing, readonly unknown[]>(
  'settlement.insert-file',
  `insert into settlement_files (id, mid_id, name, format, sha256, row_count, imported_by, imported_at, first_day, last_day)
   select $1, $2, $3, $4, $5, $6, $7, $8, min(booked_on), max(booked_on) from settlement_rows where file_id = $1`,
)

/** The types of transactions that a kind of row can belong to. */
const typesOfKind = `case r.kind when 'charge' then array['SALE', 'DEBIT', 'RETRY', 'CAPTURE', 'TRANSFER']
  when 'refund' then array['REFUND', 'REVERSAL', 'VOID'] when 'chargeback' then array['CHARGEBACK']
  when 'payout' then array['CREDIT'] else '{}' end`

const setMatch =
  'update settlement_rows r set merchant_id = t.merchant_id, payment_id = t.payment_id, transaction_id = t.id'

// By our identifiers, with the index of payments. A row that names the payment alone, or with a reference that none of its transactions has,
// such as that of an automatic capture, must leave no choice.
const matchNamed = sql<Nothing, readonly [string]>(
  'settlement.match-named',
  `${setMatch}
   from settlement_rows own join payments p on p.id = own.named_payment
     join transactions t on t.merchant_id = p.merchant_id and t.payment_id = p.id
   where own.file_id = $1 and r.mid_id = own.mid_id and r.ref = own.ref and t.mid_id = own.mid_id and t.type = any(${typesOfKind})
     and (t.id = own.named_transaction or own.reference is not null and t.reference = own.reference
       or own.named_transaction is null and (own.reference is null or own.kind = 'chargeback' or not exists (
         select from transactions o where o.merchant_id = t.merchant_id and o.payment_id = t.payment_id and o.reference = own.reference
           and o.type = any(${typesOfKind}))) and not exists (
         select from transactions o where o.merchant_id = t.merchant_id and o.payment_id = t.payment_id and o.id <> t.id
           and o.type = any(${typesOfKind}) and o.state = 'success'))`,
)
const matchReferenced = sql<Nothing, readonly [string]>(
  'settlement.match-referenced',
  `${setMatch}
   from settlement_rows own join transactions t on t.mid_id = own.mid_id and t.reference = own.reference
   where own.file_id = $1 and r.mid_id = own.mid_id and r.ref = own.ref and r.transaction_id is null and own.named_payment is null
     and t.type = any(${typesOfKind})`,
)

// The acquirer has settled transactions from this day on. A late row says nothing about the days before it. Matched rows are counted once, so
// that the list of files need not read them.
const coverDays = sql<Nothing, readonly [string]>(
  'settlement.cover',
  `update settlement_files f set first_day = least(f.first_day, (
     select min(t.ended_at)::date from settlement_rows r
       join transactions t on t.merchant_id = r.merchant_id and t.payment_id = r.payment_id and t.id = r.transaction_id
     where r.file_id = f.id and t.ended_at >= r.booked_on - ${usualDays})),
     matched = (select count(*) from settlement_rows r where r.file_id = f.id and r.transaction_id is not null)
   where f.id = $1`,
)

// A row has one difference, the first that applies. One that the acquirer converted is compared in the payment's currency.
const differencesOfRows = sql<Nothing, readonly [string, Date]>(
  'settlement.find-row-differences',
  `insert into settlement_differences (id, mid_id, day, kind, currency, ours_minor, theirs_minor, merchant_id, payment_id, transaction_id, ref,
     file_id, found_at)
   select gen_random_uuid(), r.mid_id, r.booked_on, found.kind, charged.currency, t.amount_minor, charged.minor, t.merchant_id,
     coalesce(t.payment_id, r.named_payment), t.id, r.ref, r.file_id, $2
   from settlement_rows r
     cross join lateral (values (coalesce(r.processing_currency, r.currency), abs(coalesce(r.processing_minor, r.gross_minor))))
       charged (currency, minor)
     left join transactions t on t.merchant_id = r.merchant_id and t.payment_id = r.payment_id and t.id = r.transaction_id
     left join payments p on p.merchant_id = t.merchant_id and p.id = t.payment_id
     cross join lateral (select case
       when t.id is null then case when exists (select from payments other where other.id = r.named_payment and other.mid_id <> r.mid_id)
         then 'other-mid' else 'missing-here' end
       when t.state <> 'success' then 'other-outcome'
       when exists (select from settlement_rows o where o.transaction_id = r.transaction_id and o.kind = r.kind and o.mid_id = r.mid_id
         and (o.booked_on, o.ref) < (r.booked_on, r.ref)) then 'doubled'
       when charged.currency <> p.currency then 'currency'
       when charged.minor <> t.amount_minor then 'amount'
       when r.booked_on > t.ended_at::date + ${usualDays} then 'late' end as kind) found
   where r.file_id = $1 and r.kind not in ('fee', 'adjustment') and found.kind is not null
   on conflict do nothing`,
)

/** Transactions that an acquirer pays or charges: of live payments that were not voided on their day. */
export const settledByAcquirer = `t.state = 'success' and t.amount_minor > 0 and not p.test and p.status not in ('VOID', 'DECLINED')
  and (t.type in ('SALE', 'DEBIT', 'TRANSFER', 'CREDIT', 'CAPTURE', 'REFUND', 'CHARGEBACK') or t.type = 'RETRY' and not p.holds
    or t.type = 'REVERSAL' and p.captured_minor > 0)`

const differencesOfTransactions = sql<Nothing, readonly [string, string, Date]>(
  'settlement.find-missing',
  `insert into settlement_differences (id, mid_id, day, kind, currency, ours_minor, theirs_minor, merchant_id, payment_id, transaction_id, ref,
     file_id, found_at)
   select gen_random_uuid(), t.mid_id, t.ended_at::date, 'missing-there', p.currency, t.amount_minor, null, t.merchant_id, t.payment_id, t.id,
     null, $2, $3
   from (select min(first_day) as first, max(last_day) - ${usualDays} as last from settlement_files where mid_id = $1) covered
     join transactions t on t.mid_id = $1 and t.ended_at >= covered.first and t.ended_at < covered.last + 1
     join payments p on p.merchant_id = t.merchant_id and p.id = t.payment_id
   where ${settledByAcquirer} and not exists (select from settlement_rows r where r.transaction_id = t.id and r.mid_id = t.mid_id)
   on conflict do nothing`,
)

const resolveArrived = sql<Nothing, readonly [string, Date]>(
  'settlement.resolve-arrived',
  `update settlement_differences d set resolved_at = $2, note = 'The acquirer settled it later, in row ' || r.ref || '.'
   from settlement_rows r
   where r.file_id = $1 and d.transaction_id = r.transaction_id and d.mid_id = r.mid_id and d.kind = 'missing-there' and d.resolved_at is null`,
)

/**
 * What the acquirer paid, and what it kept. If it converted the payment, it settles it to the account of exchange in the payment's currency, and
 * pays from that account in its own: each currency stays balanced.
 */
const bookRows = sql<Nothing, readonly [string, Date]>(
  'settlement.book',
  `insert into book_entries (source, position, mid_id, merchant_id, from_account, to_account, currency, amount_minor, on_day, at)
   select 'settlement ' || r.mid_id || ' ' || r.ref, moved.position, r.mid_id, r.merchant_id,
     case when moved.minor > 0 then moved.payer else moved.payee end, case when moved.minor > 0 then moved.payee else moved.payer end,
     moved.currency, abs(moved.minor), r.booked_on, $2
   from settlement_rows r cross join lateral (select case when r.processing_currency is null then 'acquirer' else 'exchange' end as account) paying
     cross join lateral (values (0, paying.account, 'bank', r.currency, r.net_minor), (1, paying.account, 'acquirer_fees', r.currency, r.fee_minor),
       (2, 'acquirer', 'exchange', r.processing_currency, r.processing_minor)) moved (position, payer, payee, currency, minor)
   where r.file_id = $1 and moved.minor <> 0`,
)

/**
 * The database plans for as many rows as it knows of, and knows nothing of those that this transaction wrote: it would read all rows of the
 * MID for each of them. Other imports wait here until this one has ended.
 */
const countRows = 'analyze settlement_rows'

export const settlementImport = (client: PoolClient, midId: string, fileId: string) => ({
  lock: async (): Promise<void> => {
    // A file of a million rows takes minutes, and its transaction waits while the file is read.
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    await query(client, lockMid, [midId])
  },
  /** The lines whose row was not imported before. */
  insert: async (rows: readonly (SettlementRow & { readonly line: number })[]): Promise<ReadonlySet<number>> => {
    const values = rows.map(({ grossMinor, feeMinor, netMinor, conversion, ...row }) => ({
      ...row,
      gross: String(grossMinor),
      fee: String(feeMinor),
      net: String(netMinor),
      ...(conversion && {
        processingCurrency: conversion.currency,
        processed: String(conversion.grossMinor),
        rate: conversion.rate,
      }),
    }))
    return new Set((await query(client, insertRows, [midId, fileId, JSON.stringify(values)])).map(({ line }) => line))
  },
  /** Stores the file after its rows, matches them and finds the differences. */
  finish: async (file: SettlementFile): Promise<void> => {
    const { name, format, sha256, rowCount, importedBy, importedAt } = file
    await query(client, insertFile, [fileId, midId, name, format, sha256, rowCount, importedBy, importedAt])
    await client.query(countRows)
    await query(client, matchNamed, [fileId])
    await query(client, matchReferenced, [fileId])
    await client.query(countRows)
    await query(client, coverDays, [fileId])
    await query(client, resolveArrived, [fileId, importedAt])
    await query(client, differencesOfRows, [fileId, importedAt])
    await query(client, differencesOfTransactions, [midId, fileId, importedAt])
    await query(client, bookRows, [fileId, importedAt])
  },
})
