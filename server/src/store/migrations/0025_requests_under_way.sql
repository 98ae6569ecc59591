-- A request that is under way is known by the database's clock, and what was given up as never executed is watched for some days.
-- Safe while the previous release runs: every new column is null or has a default, and what that release writes is accepted. It
-- leaves in_flight_until and leased_by null, which mean "as long as any request may be" and "until the lease's time is over".

-- When the intent was written. The default is set after the column is added: added with it, the whole table would be rewritten.
alter table transactions add column sent_at timestamptz;
alter table transactions alter column sent_at set default clock_timestamp();
-- Until when a request that was sent may still be executed, whatever the acquirer says about it meanwhile.
alter table transactions add column in_flight_until timestamptz;

-- The process that holds the lease: when its advisory lock is gone, so is the lease.
alter table transactions add column leased_by integer;
alter table callbacks add column leased_by integer;
alter table subscriptions add column leased_by integer;
alter table payer_steps add column leased_by integer;
alter table open_cascades add column leased_by integer;
alter table acquirer_cursors add column leased_by integer;
alter table mails add column leased_by integer;
alter table deferred_commands add column leased_by integer;

-- Transactions that ended as never executed on the acquirer's word that it had not heard of them.
create table transaction_watches (
  merchant_id uuid not null,
  payment_id uuid not null,
  transaction_id uuid not null,
  asks integer not null default 0,
  next_at timestamptz not null,
  lease_until timestamptz,
  leased_by integer,
  primary key (merchant_id, payment_id, transaction_id),
  foreign key (merchant_id, payment_id, transaction_id) references transactions (merchant_id, payment_id, id)
);
create index transaction_watches_due on transaction_watches (next_at);
