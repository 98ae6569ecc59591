-- Settlement files of acquirers: their rows, matched to our transactions, the differences that were found, and the entries of the operator's
-- own book (what the acquirer paid and charged). Nothing is ever deleted from them.
--
-- Safe while the previous release serves: it does not know these tables, and writes no request of the new kind.
create table settlement_files (
  id uuid primary key,
  mid_id uuid not null references mids (id),
  name text not null,
  format text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  row_count integer not null,
  first_day date,
  last_day date,
  imported_by text not null,
  imported_at timestamptz not null,
  unique (mid_id, sha256)
);

create table settlement_rows (
  mid_id uuid not null,
  ref text not null,
  file_id uuid not null references settlement_files (id) deferrable initially deferred,
  line integer not null,
  kind text not null check (kind in ('charge', 'refund', 'chargeback', 'payout', 'fee', 'adjustment')),
  named_payment uuid,
  named_transaction uuid,
  reference text,
  currency text not null,
  gross_minor numeric(38) not null,
  fee_minor numeric(38) not null,
  net_minor numeric(38) not null check (net_minor = gross_minor - fee_minor),
  booked_on date not null,
  payout text,
  merchant_id uuid,
  payment_id uuid,
  transaction_id uuid,
  primary key (mid_id, ref)
);
create index settlement_rows_file on settlement_rows (file_id, line);
create index settlement_rows_transaction on settlement_rows (transaction_id) where transaction_id is not null;

create table settlement_differences (
  id uuid primary key,
  mid_id uuid not null,
  day date not null,
  kind text not null
    check (kind in ('missing-here', 'missing-there', 'amount', 'currency', 'other-mid', 'other-outcome', 'doubled', 'late')),
  currency text not null,
  ours_minor numeric(38),
  theirs_minor numeric(38),
  merchant_id uuid,
  payment_id uuid,
  transaction_id uuid,
  ref text,
  file_id uuid not null references settlement_files (id),
  found_at timestamptz not null,
  resolved_at timestamptz,
  note text,
  constraint resolved_with_a_note check ((resolved_at is null) = (note is null))
);
create unique index settlement_differences_once on settlement_differences
  (mid_id, kind, coalesce(transaction_id::text, ''), coalesce(ref, ''));
create index settlement_differences_day on settlement_differences (mid_id, day);
create index settlement_differences_open on settlement_differences (found_at) where resolved_at is null;

create table book_entries (
  source text not null,
  position smallint not null,
  mid_id uuid,
  merchant_id uuid,
  from_account text not null,
  to_account text not null check (to_account <> from_account),
  currency text not null,
  amount_minor numeric(38) not null check (amount_minor > 0),
  on_day date not null,
  at timestamptz not null,
  primary key (source, position)
);
create index book_entries_mid on book_entries (mid_id, on_day);

-- oldest program: 0020
alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check
  check (kind in ('refund', 'password-reveal', 'routing-publish', 'outcome', 'give-back', 'difference'));
