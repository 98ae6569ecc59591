-- The bank's side of the reconciliation (chapter 70 §3): what acquirers announced per payout, which days of the operator's bank accounts were
-- read, and what differs. And the amount and rate of settlement rows that the acquirer converted to another currency.
--
-- Safe while the previous release serves: it knows none of it. A trigger sums up also the rows that it imports; a bank statement that it
-- imports is compared with the next one.
create table settlement_payouts (
  mid_id uuid not null,
  payout text not null,
  currency text not null,
  net_minor numeric(38) not null,
  first_day date not null,
  last_day date not null,
  primary key (mid_id, payout, currency)
);
create index settlement_payouts_payout on settlement_payouts (payout);

create function sum_up_payouts() returns trigger language plpgsql as $function$
begin
  insert into settlement_payouts as known (mid_id, payout, currency, net_minor, first_day, last_day)
  select mid_id, payout, currency, sum(net_minor), min(booked_on), max(booked_on) from added
  where payout is not null group by mid_id, payout, currency
  on conflict (mid_id, payout, currency) do update set net_minor = known.net_minor + excluded.net_minor,
    first_day = least(known.first_day, excluded.first_day), last_day = greatest(known.last_day, excluded.last_day);
  return null;
end $function$;
create trigger settlement_rows_sum_up after insert on settlement_rows referencing new table as added
  for each statement execute function sum_up_payouts();

insert into settlement_payouts (mid_id, payout, currency, net_minor, first_day, last_day)
select mid_id, payout, currency, sum(net_minor), min(booked_on), max(booked_on) from settlement_rows
where payout is not null group by mid_id, payout, currency;

create table bank_coverage (
  account text not null,
  currency text not null,
  first_day date not null,
  last_day date not null,
  primary key (account, currency)
);
insert into bank_coverage (account, currency, first_day, last_day)
select account, currency, min(booked_on), max(booked_on) from bank_lines group by account, currency;

-- Who paid, as the bank names it.
alter table bank_lines add column party text;
create index bank_lines_open on bank_lines (booked_on) where mid_id is null and item_id is null;

create table bank_differences (
  id uuid primary key,
  -- Null for a line of the bank of which no MID is known.
  mid_id uuid,
  payout text,
  day date not null,
  kind text not null check (kind in ('bank-missing', 'bank-amount', 'bank-currency', 'bank-doubled', 'bank-unknown')),
  currency text not null,
  announced_minor numeric(38),
  booked_minor numeric(38),
  account text,
  line_ref text,
  found_at timestamptz not null,
  resolved_at timestamptz,
  note text,
  -- What two people posted to the account of differences, and the bank is no longer expected to book.
  posted_minor numeric(38) not null default 0,
  constraint resolved_with_a_note check ((resolved_at is null) = (note is null))
);
create unique index bank_differences_once on bank_differences (kind, coalesce(mid_id::text, ''), coalesce(payout, ''), currency,
  coalesce(account, ''), coalesce(line_ref, ''), coalesce(announced_minor, 0), coalesce(booked_minor, 0));
create index bank_differences_payout on bank_differences (mid_id, payout);
create index bank_differences_open on bank_differences (found_at) where resolved_at is null;

alter table settlement_rows add column processing_currency text;
alter table settlement_rows add column processing_minor numeric(38);
alter table settlement_rows add column rate numeric;

-- Null for files of previous releases, whose rows are counted.
alter table settlement_files add column matched integer;
