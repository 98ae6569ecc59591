-- Payments counted by day (UTC) and attribute, for the page Analytics (chapter 70 §6). A payment is added once, when its outcome is final; until
-- then it is listed in payment_summary_open. The merchant of zeros stands for all merchants together. An empty value: the payment has none.
--
-- Safe while the previous release serves: it does not know these tables, and a worker of this release counts its payments, too.
create table payment_summaries (
  merchant_id    uuid        not null,
  test           boolean     not null,
  dimension      text        not null,
  day            date        not null,
  value          text        not null,
  currency       text        not null,
  decimals       smallint    not null,
  payments       bigint      not null,
  approved       bigint      not null,
  declined       bigint      not null,
  approved_minor numeric(38) not null,
  primary key (merchant_id, test, dimension, day, value, currency, decimals)
);

create table payment_summary_open (
  merchant_id uuid        not null,
  payment_id  uuid        not null,
  created_at  timestamptz not null,
  check_at    timestamptz not null,
  primary key (merchant_id, payment_id)
);
create index payment_summary_open_due on payment_summary_open (check_at);

-- One row: payments created before this moment are counted or listed as open.
create table payment_summary_progress (
  one   boolean     primary key default true check (one),
  until timestamptz not null
);
