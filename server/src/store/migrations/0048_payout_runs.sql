-- Bank accounts of merchants, payout runs with one item per merchant, and the lines of the operator's bank statements.
--
-- Safe while the previous release serves: it does not know these tables, and writes no request of the new kinds.
create table payout_accounts (
  merchant_id uuid not null references merchants (id),
  currency text not null,
  holder text not null,
  number text not null,
  bic text,
  changed_by text not null,
  changed_at timestamptz not null,
  primary key (merchant_id, currency)
);

create table payout_runs (
  id uuid primary key,
  currency text not null,
  state text not null check (state in ('waiting', 'sent', 'cancelled')),
  execute_on date not null,
  holder text not null,
  number text not null,
  bic text,
  made_by text not null,
  made_at timestamptz not null,
  -- The file for the bank, written once with the approval.
  file text,
  constraint sent_with_a_file check ((state = 'sent') = (file is not null))
);

create table payout_items (
  merchant_id uuid not null,
  id uuid not null,
  run_id uuid not null references payout_runs (id),
  statement_id uuid not null,
  currency text not null,
  amount_minor numeric(38) not null check (amount_minor > 0),
  holder text not null,
  number text not null,
  bic text,
  end_to_end text not null unique,
  state text not null check (state in ('waiting', 'sent', 'paid', 'cancelled')),
  paid_on date,
  paid_by text,
  primary key (merchant_id, id),
  constraint paid_with_a_day check ((state = 'paid') = (paid_on is not null))
);
create index payout_items_run on payout_items (run_id);
-- A statement is paid out once, and a merchant waits for one run per currency.
create unique index payout_items_statement on payout_items (merchant_id, statement_id) where state <> 'cancelled';
create unique index payout_items_waiting on payout_items (merchant_id, currency) where state = 'waiting';

create table bank_lines (
  account text not null,
  ref text not null,
  currency text not null,
  amount_minor numeric(38) not null,
  booked_on date not null,
  end_to_end text,
  text text not null,
  -- What it paid: an item of a run, or what an acquirer announced in its settlement rows.
  item_id uuid,
  mid_id uuid,
  payout text,
  imported_by text not null,
  imported_at timestamptz not null,
  primary key (account, ref)
);
create index bank_lines_mid on bank_lines (mid_id, payout) where mid_id is not null;
create index settlement_rows_payout on settlement_rows (payout) where payout is not null;

-- oldest program: 0020
alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check
  check (kind in ('refund', 'password-reveal', 'routing-publish', 'outcome', 'give-back', 'difference', 'factor-reset', 'payout-run', 'correction'));
