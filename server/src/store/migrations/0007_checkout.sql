-- Checkout sessions (chapter 30): one order, one link or token, at most one successful payment.
--
-- A session has no state of its own: what became of it is read from its payments, so that the two can never disagree. What it keeps is
-- what the merchant asked for, what the fields collected, and whether it was closed.
--
-- Safe while the previous release still runs: it makes no sessions, and the new column of payments may be null.
create table sessions (
  merchant_id   uuid not null,
  id            uuid not null,
  -- Raised by every change and by every attempt: an attempt on a session that was updated meanwhile begins anew.
  version       int not null default 1,
  kind          text not null check (kind in ('page', 'fields')),
  operation     text not null check (operation in ('purchase', 'debit', 'credit', 'transfer')),
  test          boolean not null,
  order_id      text not null,
  -- Everything that the merchant asked for, as it was read.
  request       jsonb not null,
  -- The identifier held ready for the first payment; a return before any payment names it.
  first_payment uuid not null,
  attempts      int not null default 0,
  -- Number and expiry as the fields collected them, sealed; gone with the next attempt.
  fields_sealed bytea,
  -- The payer closed the page, or the declines reached their limit.
  closed_at     timestamptz,
  expires_at    timestamptz not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  primary key (merchant_id, id)
);
create unique index sessions_id on sessions (id);

-- The verification code that a field collected, between the payer's entry and the one attempt that uses it. Unlogged: it is in no
-- write-ahead log, no replica and no backup, and a crash forgets it. Sealed all the same.
create unlogged table session_codes (
  merchant_id uuid not null,
  session_id  uuid not null,
  sealed      bytea not null,
  expires_at  timestamptz not null,
  primary key (merchant_id, session_id)
);
create index session_codes_age on session_codes (expires_at);

alter table payments add column session_id uuid;
create index payments_session on payments (merchant_id, session_id, id desc) where session_id is not null;
-- One link, one successful payment, and one attempt at a time: while a payment of the session stands, no other can be written.
create unique index payments_alone_in_session on payments (merchant_id, session_id)
  where session_id is not null and status <> 'DECLINED';
