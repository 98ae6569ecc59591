-- What the panel adds (chapter 50 §8): work that one person began and that takes its time, with how far it is; and payers' consents,
-- found by merchant.
--
-- A piece of work is done by the process that began it, step by step; each step moves the cursor and renews the lease. When that
-- process dies, the lease runs out and whoever looks at the work next takes it up behind the cursor.
--
-- Safe while the previous release still runs: it knows neither the table nor the indexes, and writes no row that they would refuse; its
-- searches find the same, some of them more slowly.
create table long_work (
  user_id uuid not null references users,
  id uuid not null,
  kind text not null check (kind in ('capture', 'resend')),
  request jsonb not null,
  state text not null check (state in ('running', 'done', 'cancelled', 'failed')),
  total bigint not null,
  done bigint not null default 0,
  failed bigint not null default 0,
  failures jsonb not null default '[]',
  cursor text not null default '',
  lease_until timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (user_id, id),
  constraint over_or_running check ((state = 'running') = (ended_at is null))
);

create index payments_by_consent on payments (merchant_id, id desc) where facts ? 'consent';

-- Transactions page. A value that many payments may have is indexed per merchant: in an index of all payments those of a merchant
-- would have to be picked from among everybody's, and there may be none. Whoever sees several merchants gets the newest of each
-- (store/payment-search.ts). What is unique or nearly so keeps its index of all payments.
drop index payments_by_day, payments_by_status, payments_by_order, payments_by_mid, payments_by_currency, payments_by_amount,
  payments_by_side, payments_by_card, payments_by_brand, payments_by_wallet, payments_by_pan_type, payments_by_3ds_status,
  payments_by_3ds_flow, payments_by_initiator, payments_by_sequence, payments_by_source;
create index payments_by_mid on payments (merchant_id, mid_id, id desc);
create index payments_by_currency on payments (merchant_id, currency, id desc);
create index payments_by_amount on payments (merchant_id, amount_minor, id desc);
create index payments_by_side on payments (merchant_id, test, id desc);
create index payments_by_card on payments (merchant_id, card_mask, id desc) where card_mask is not null;
create index payments_by_brand on payments (merchant_id, (facts->'brand'->>'code'), id desc) where facts ? 'brand';
create index payments_by_wallet on payments (merchant_id, (facts->'wallet'->>'name'), id desc) where facts ? 'wallet';
create index payments_by_pan_type on payments (merchant_id, (facts->'wallet'->>'panType'), id desc) where facts ? 'wallet';
create index payments_by_3ds_status on payments (merchant_id, (facts->'threeDs'->>'transStatus'), id desc) where facts ? 'threeDs';
create index payments_by_3ds_flow on payments (merchant_id, (facts->'threeDs'->>'authenticationFlow'), id desc)
  where facts ? 'threeDs';
create index payments_by_initiator on payments (merchant_id, (facts->'storedCredential'->>'initiator'), id desc)
  where facts ? 'storedCredential';
create index payments_by_sequence on payments (merchant_id, (facts->'storedCredential'->>'sequence'), id desc)
  where facts ? 'storedCredential';
create index payments_by_source on payments (merchant_id, (facts->'storedCredential'->>'source'), id desc)
  where facts ? 'storedCredential';
-- A range of time is a range of identifiers, but for the first payment of a session: its identifier is as old as the session.
create index payments_late on payments (created_at, id) where session_id is not null;
