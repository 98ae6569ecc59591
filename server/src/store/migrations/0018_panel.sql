-- What the panel adds (chapter 50 §8): work that one person began and that takes its time, with how far it is; and payers' consents,
-- found by merchant.
--
-- A piece of work is done by the process that began it, step by step; each step moves the cursor and renews the lease. When that
-- process dies, the lease runs out and whoever looks at the work next takes it up behind the cursor.
--
-- Safe while the previous release still runs: it knows neither the table nor the index, and writes no row that they would refuse.
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
