-- Payer steps (3-D Secure, redirects), recurring chains, schedules and the plans that put one on the other, and what acquirers
-- report by themselves. Chapter 10 §8 and §9, chapter 50 §5.
--
-- Safe while the previous release still runs: it writes none of these tables, and the new column of payments may be null.

-- Where a payer was sent and under which conditions the return counts. The one-time keys are derived, so that they are not kept.
create table payer_steps (
  merchant_id    uuid not null,
  payment_id     uuid not null,
  -- The transaction that waits for the payer: a 3DS one, or the one that the acquirer redirected.
  transaction_id uuid not null,
  kind           text not null check (kind in ('3DS', 'REDIRECT')),
  url            text not null,
  method         text not null check (method in ('GET', 'POST')),
  params         jsonb not null default '{}',
  -- What the MPI service needs to know again when the payer is back.
  mpi            jsonb not null default '{}',
  state          text not null check (state in ('waiting', 'returned', 'expired')),
  -- Memory storage: the form is given out once, and only until then.
  stored_until   timestamptz,
  given_out_at   timestamptz,
  expires_at     timestamptz not null,
  lease_until    timestamptz,
  created_at     timestamptz not null,
  ended_at       timestamptz,
  primary key (merchant_id, payment_id, transaction_id),
  foreign key (merchant_id, payment_id, transaction_id) references transactions
);
-- A payer comes back with the payment's identifier alone.
create index payer_steps_payment on payer_steps (payment_id);
create index payer_steps_due on payer_steps (expires_at) where state = 'waiting';

-- A first payment with recurring_init and everything charged on its token; the token is the id.
create table chains (
  merchant_id            uuid not null,
  id                     uuid not null,
  first_payment          uuid not null,
  kind                   text not null check (kind in ('sale', 'debit')),
  network_transaction_id text,
  created_at             timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, first_payment) references payments
);
create unique index chains_first_payment on chains (merchant_id, first_payment);

create table schedules (
  merchant_id                   uuid not null,
  id                            uuid not null,
  name                          text not null,
  interval_length               int not null check (interval_length between 1 and 999),
  interval_unit                 text not null check (interval_unit in ('day', 'week', 'month', 'year')),
  day_of_month                  int check (day_of_month between 1 and 31),
  payments_count                int not null check (payments_count between 1 and 9999),
  delayed_first_payment         text not null check (delayed_first_payment in ('none', 'delay_by_interval', 'day_of_week', 'day_of_month')),
  first_payment_interval_length int,
  first_payment_interval_unit   text,
  first_payment_day_of_week     int check (first_payment_day_of_week between 1 and 7),
  first_payment_day_of_month    int check (first_payment_day_of_month between 1 and 31),
  -- Retired: only schedules brought over from before have a number.
  delays                        int,
  paused                        boolean not null default false,
  deleted_at                    timestamptz,
  version                       int not null default 1,
  created_at                    timestamptz not null,
  primary key (merchant_id, id)
);

-- A chain on a schedule. A chain has at most one running plan.
create table subscriptions (
  merchant_id     uuid not null,
  id              uuid not null,
  chain_id        uuid not null,
  schedule_id     uuid not null,
  -- Raised by every change: an engine that read an older one fires nothing.
  version         int not null default 1,
  state           text not null check (state in ('running', 'ended')),
  ended_reason    text,
  -- The date the initiating payment succeeded on, in the merchant's time zone, and the time of day at which plan payments go.
  d               date not null,
  time_of_day     time not null,
  start_date      date,
  amount_minor    bigint not null check (amount_minor > 0),
  amount_decimals smallint not null,
  -- Where the plan stands on its grid; its meaning is in domain/src/schedule.ts.
  plan            jsonb not null,
  next_date       date,
  -- Null while the schedule is paused: such a plan has a next date, but nothing is due.
  next_at         timestamptz,
  lease_until     timestamptz,
  -- The payment that started the plan: order, description, custom_data and callback_url of plan payments are its own.
  started_by      uuid not null,
  -- The newest plan payment: the next one waits until it has an outcome.
  last_payment    uuid,
  created_at      timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, chain_id) references chains,
  foreign key (merchant_id, schedule_id) references schedules,
  check ((state = 'running') or next_at is null)
);
create unique index subscriptions_one_running on subscriptions (merchant_id, chain_id) where state = 'running';
create index subscriptions_schedule on subscriptions (merchant_id, schedule_id) where state = 'running';
create index subscriptions_due on subscriptions (next_at) where next_at is not null;

alter table payments add column chain_id uuid;
alter table payments add column subscription_id uuid;
-- The date of a plan payment: one payment per plan and date, whatever the engine believes.
alter table payments add column plan_date date;
create unique index payments_plan_date on payments (merchant_id, subscription_id, plan_date) where subscription_id is not null;
create index payments_chain on payments (merchant_id, chain_id) where chain_id is not null;
-- Retries of a card are counted against its network's budget.
create index payments_recurring_card on payments (merchant_id, card_id) where recurring;

-- Commands that the service gives by itself when their time has come: the capture of a hold by its MID's setting, the retry of a
-- plan payment by the operator's plan. The command's intent removes the row, so that it is given once.
create table deferred_commands (
  merchant_id uuid not null,
  payment_id  uuid not null,
  command     text not null check (command in ('CAPTURE', 'RETRY')),
  due_at      timestamptz not null,
  lease_until timestamptz,
  primary key (merchant_id, payment_id, command),
  foreign key (merchant_id, payment_id) references payments
);
create index deferred_commands_due on deferred_commands (due_at);

-- How far an acquirer's own reports (chargebacks, lapsed holds) have been read, and when they are read next.
create table acquirer_cursors (
  mid_id      uuid primary key references mids,
  cursor      text not null,
  next_at     timestamptz not null,
  lease_until timestamptz
);
