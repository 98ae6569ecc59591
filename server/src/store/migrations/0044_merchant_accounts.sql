-- What the operator charges merchants, keeps in reserve, owes and pays out: price lists, entries of merchants' accounts that belong to no
-- payment, statements, payout runs and the lines of the operator's bank statements. Nothing is ever deleted from them.
--
-- Safe while the previous release serves: it does not know these tables, and writes no request of the new kinds. It charges nothing: begin
-- price lists after the upgrade.

-- A merchant has one list at a time. The days of two lists never overlap: the store locks the merchant and compares.
create table price_lists (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  valid_from date not null,
  valid_to date,
  terms jsonb not null,
  made_by text not null,
  made_at timestamptz not null,
  -- Days up to this one whose reserve was released.
  released_to date,
  primary key (merchant_id, id),
  constraint price_list_days check (valid_to >= valid_from)
);
create unique index price_lists_from on price_lists (merchant_id, valid_from);
create trigger price_lists_notify after insert or update or delete on price_lists
  for each statement execute function notify_configuration();

-- Entries that no transaction makes: monthly fees, releases of the reserve, payouts, corrections. `source` makes each of them happen once.
create table account_entries (
  merchant_id uuid not null,
  source text not null,
  position smallint not null,
  from_account text not null,
  to_account text not null check (to_account <> from_account),
  currency text not null,
  amount_minor numeric(38) not null check (amount_minor > 0),
  at timestamptz not null,
  primary key (merchant_id, source, position)
);
create index account_entries_at on account_entries (merchant_id, at);
create trigger account_entries_append_only before update or delete on account_entries
  for each row execute function refuse_change();

create table statements (
  merchant_id uuid not null,
  currency text not null,
  -- From the first day up to the last, both included, in UTC.
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  id uuid not null,
  opening_minor numeric(38) not null,
  sales_minor numeric(38) not null,
  refunds_minor numeric(38) not null,
  chargebacks_minor numeric(38) not null,
  payouts_minor numeric(38) not null,
  fees_minor numeric(38) not null,
  held_minor numeric(38) not null,
  released_minor numeric(38) not null,
  corrections_minor numeric(38) not null,
  paid_out_minor numeric(38) not null,
  closing_minor numeric(38) not null,
  reserve_minor numeric(38) not null,
  made_by text not null,
  made_at timestamptz not null,
  primary key (merchant_id, id),
  constraint statement_adds_up check (closing_minor = opening_minor + sales_minor - refunds_minor - chargebacks_minor - payouts_minor
    - fees_minor - held_minor + released_minor + corrections_minor - paid_out_minor)
);
create unique index statements_first_day on statements (merchant_id, currency, first_day);
create trigger statements_append_only before update or delete on statements
  for each row execute function refuse_change();

create index book_entries_merchant on book_entries (merchant_id) where merchant_id is not null;
