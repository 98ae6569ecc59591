-- Cascades, exact limits and the schemes' retry budgets (chapter 10 §6.2, chapter 50 §3, §4).
--
-- Safe while the previous release still runs: its payments are first attempts that nothing follows, which is what the defaults say. It
-- neither counts in the new tables nor is held by them, so that limits and budgets are exact once it has stopped; a period that begins
-- to be counted starts with what its payments add up to.

-- An attempt of a cascade is a payment of its own; those after the first name it.
alter table payments
  add column cascade_id uuid,
  add column attempt smallint not null default 1,
  -- What follows a declined attempt: one that is about to be opened, or one that was.
  add column cascading text constraint payments_cascading_check check (cascading in ('continues', 'continued'));
create index payments_cascade on payments (merchant_id, cascade_id) where cascade_id is not null;

-- A date of a plan still has one payment, which now may be tried more than once.
drop index payments_plan_date;
create unique index payments_plan_date on payments (merchant_id, subscription_id, plan_date) where plan_date is not null and attempt = 1;

-- Cascades between two attempts: the decline of one is durable, the next is not. Whoever finds a row whose process has died, or whose
-- time has come, ends the cascade and tells the decline.
create table open_cascades (
  merchant_id uuid not null,
  payment_id  uuid not null,
  sent_by     integer not null,
  due_at      timestamptz not null,
  lease_until timestamptz,
  primary key (merchant_id, payment_id),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id)
);
create index open_cascades_due on open_cascades (due_at);
create index open_cascades_sender on open_cascades (sent_by);

-- What a MID or a mapping has taken within one period of a limit. `most_minor` and `most_count` are the limit as the last payment to be
-- counted knew it: the constraints hold the count to it, so that a payment too many is not written at all.
create table limit_uses (
  owner        uuid not null,
  period       text not null check (period in ('mid day', 'mid month', 'mapping day', 'mapping week')),
  starts       date not null,
  amount_minor numeric(38,0) not null,
  count        bigint not null,
  most_minor   numeric(38,0),
  most_count   bigint,
  primary key (owner, period, starts),
  constraint mid_day_limit      check (period <> 'mid day'      or (amount_minor <= coalesce(most_minor, amount_minor) and count <= coalesce(most_count, count))),
  constraint mid_month_limit    check (period <> 'mid month'    or (amount_minor <= coalesce(most_minor, amount_minor) and count <= coalesce(most_count, count))),
  constraint mapping_day_limit  check (period <> 'mapping day'  or (amount_minor <= coalesce(most_minor, amount_minor) and count <= coalesce(most_count, count))),
  constraint mapping_week_limit check (period <> 'mapping week' or (amount_minor <= coalesce(most_minor, amount_minor) and count <= coalesce(most_count, count)))
);

-- When a card was tried again, by cascades and RETRY alike. `has_room` is false when the try that is being written is one too many for
-- the card's network, and then it is not written.
create table card_tries (
  merchant_id uuid not null,
  card_id     uuid not null,
  tries       timestamptz[] not null,
  has_room    boolean not null,
  primary key (merchant_id, card_id),
  constraint card_tries_budget check (has_room)
);

insert into card_tries (merchant_id, card_id, tries, has_room)
select payment.merchant_id, payment.card_id, array_agg(retry.created_at), true
from payments payment
join transactions retry on retry.merchant_id = payment.merchant_id and retry.payment_id = payment.id
where retry.type = 'RETRY' and payment.recurring and payment.card_id is not null
group by payment.merchant_id, payment.card_id;
