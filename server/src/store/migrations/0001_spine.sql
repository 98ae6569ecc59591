-- The spine: who may pay through whom, what was paid, every exchange with an acquirer, the money it moved, and what the
-- merchant was told. Chapter 50 §1.
--
-- The merchant's id leads every key of what a merchant owns, so that the same schema can be distributed by merchant.
-- No default reads the clock: an instance in sandbox mode has a clock of its own, and every instant comes from it. Leases alone use the
-- database's clock, because they guard against dead processes and not against the passing of business time.

create table instance (
  only_row        boolean primary key default true check (only_row),
  clock_offset_ms bigint not null default 0,
  seeded_at       timestamptz
);
insert into instance default values;

create table data_keys (
  scope      uuid not null,
  version    int not null,
  kek_id     text not null,
  wrapped    bytea not null,
  created_at timestamptz not null,
  primary key (scope, version)
);

-- Configuration -------------------------------------------------------------------------------------------------------

create table merchants (
  id                       uuid primary key,
  name                     text not null unique check (name ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  title                    text not null,
  key                      uuid not null unique,
  test_key                 uuid not null unique check (test_key <> key),
  password_sealed          bytea not null,
  previous_password_sealed bytea,
  previous_password_until  timestamptz,
  webhook_secrets_sealed   bytea not null,
  contact_email            text,
  notification_url         text,
  test_notification_url    text,
  allowed_ips              text[] not null default '{}',
  status                   text not null default 'active' check (status in ('active', 'blocked')),
  test_only                boolean not null default false,
  mpi_service              text not null default 'none' check (mpi_service in ('none', 'sandbox', 'external')),
  default_currency         text,
  time_zone                text not null default 'UTC',
  debit_fixed_minor        bigint,
  debit_percent            numeric(6, 3),
  rate_per_second          int check (rate_per_second > 0),
  created_at               timestamptz not null,
  check ((previous_password_sealed is null) = (previous_password_until is null))
);

create table mids (
  id                   uuid primary key,
  name                 text not null unique check (name ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  connector            text not null,
  credentials_sealed   bytea not null,
  side                 text not null check (side in ('live', 'test')),
  enabled              boolean not null default true,
  payment_mode         text not null default 'SMS/DMS' check (payment_mode in ('SMS', 'DMS', 'SMS/DMS')),
  currencies           text[] not null default '{}',
  networks             text[] not null default '{}',
  brands               text[] not null default '{}',
  cards                boolean not null default true,
  actions              text[] not null default '{sale,auth,debit,credit,transfer,recurring}',
  wallets              text[] not null default '{}',
  moto_enabled         boolean not null default false,
  card_on_file_enabled boolean not null default false,
  zero_amount          boolean not null default false,
  card_flow            boolean not null default false,
  accepts_decrypted    boolean not null default false,
  override_link_target text check (override_link_target in ('_blank', '_self', '_parent', '_top')),
  descriptor           text not null default '',
  day_limit_minor      bigint check (day_limit_minor >= 0),
  day_limit_count      int check (day_limit_count >= 0),
  month_limit_minor    bigint check (month_limit_minor >= 0),
  month_limit_count    int check (month_limit_count >= 0),
  cut_off              text not null default '00:00' check (cut_off ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  time_zone            text not null default 'UTC',
  auto_capture_hours   int check (auto_capture_hours > 0),
  created_at           timestamptz not null
);

create table merchant_mappings (
  merchant_id       uuid not null references merchants,
  id                uuid not null,
  mid_id            uuid not null references mids,
  channel           text check (length(channel) between 1 and 16),
  priority          int not null default 100,
  weight            int not null default 1 check (weight > 0),
  day_limit_minor   bigint check (day_limit_minor >= 0),
  day_limit_count   int check (day_limit_count >= 0),
  week_limit_minor  bigint check (week_limit_minor >= 0),
  week_limit_count  int check (week_limit_count >= 0),
  enabled           boolean not null default true,
  primary key (merchant_id, id)
);
create unique index merchant_mappings_once on merchant_mappings (merchant_id, mid_id, coalesce(channel, ''));

create table protocol_mappings (
  merchant_id uuid not null references merchants,
  protocol    text not null check (protocol in ('S2S_CARD', 'S2S_APM', 'CHECKOUT')),
  enabled     boolean not null default true,
  options     jsonb not null default '{}',
  primary key (merchant_id, protocol)
);

-- Payment systems known to the service; one that is switched off is refused with 204011 before any MID is looked for.
create table brands (
  code    text primary key,
  kind    text not null,
  title   text not null,
  enabled boolean not null default true
);

insert into brands (code, kind, title)
  select code, 'card', title from (values
    ('visa', 'Visa'), ('mastercard', 'Mastercard'), ('amex', 'American Express'), ('discover', 'Discover'), ('jcb', 'JCB'),
    ('dinersclub', 'Diners Club'), ('unionpay', 'UnionPay'), ('maestro', 'Maestro'), ('mir', 'Mir'), ('rupay', 'RuPay'),
    ('elo', 'Elo'), ('hipercard', 'Hipercard'), ('verve', 'Verve'), ('troy', 'Troy'), ('uzcard', 'Uzcard'), ('humo', 'Humo')
  ) as network (code, title);

-- Every process keeps the configuration in memory and reads it anew when told. Payments never notify: that would serialise commits.
create function notify_configuration() returns trigger language plpgsql as $$
begin
  perform pg_notify('gatehouse_configuration', tg_table_name);
  return null;
end $$;

create trigger merchants_notify after insert or update or delete on merchants
  for each statement execute function notify_configuration();
create trigger mids_notify after insert or update or delete on mids
  for each statement execute function notify_configuration();
create trigger merchant_mappings_notify after insert or update or delete on merchant_mappings
  for each statement execute function notify_configuration();
create trigger protocol_mappings_notify after insert or update or delete on protocol_mappings
  for each statement execute function notify_configuration();
create trigger brands_notify after insert or update or delete on brands
  for each statement execute function notify_configuration();
create trigger instance_notify after update on instance
  for each statement execute function notify_configuration();

-- Cards ---------------------------------------------------------------------------------------------------------------

-- The id is derived from the keyed fingerprint of number and expiry, so that the same card of the same merchant is one row without
-- a look-up. The verification code has no column anywhere.
create table cards (
  merchant_id  uuid not null,
  id           uuid not null,
  pan_sealed   bytea not null,
  bin          text not null,
  last_four    text not null,
  pan_length   int not null,
  -- The recipient's card of a payout has no known expiry.
  expiry_month int check (expiry_month between 1 and 12),
  expiry_year  int,
  holder       text,
  network      text,
  created_at   timestamptz not null,
  primary key (merchant_id, id)
);

create table card_tokens (
  merchant_id uuid not null,
  token       text not null check (token ~ '^[0-9a-f]{64}$'),
  card_id     uuid not null,
  test        boolean not null,
  -- The payer's name at the time of saving: a payout by the token goes to that person unless the request names another.
  first_name  text,
  last_name   text,
  -- Per MID the acquirer's own reference of the stored credential.
  credentials jsonb not null default '{}',
  created_at  timestamptz not null,
  primary key (merchant_id, token),
  foreign key (merchant_id, card_id) references cards
);
create unique index card_tokens_token on card_tokens (token);
create unique index card_tokens_card on card_tokens (merchant_id, card_id, test);

-- Payments ------------------------------------------------------------------------------------------------------------

create table payments (
  merchant_id        uuid not null,
  id                 uuid not null,
  -- Raised by every change: a writer that read an older payment changes nothing and reads again.
  version            int not null default 1,
  protocol           text not null,
  action             text not null,
  kind               text not null check (kind in ('sale', 'debit', 'credit', 'transfer')),
  status             text not null check (status in ('PREPARE', '3DS', 'REDIRECT', 'PENDING', 'SETTLED', 'REVERSAL',
                                                     'REFUND', 'VOID', 'CHARGEBACK', 'DECLINED')),
  test               boolean not null,
  recurring          boolean not null default false,
  holds              boolean not null,
  order_id           text not null,
  order_description  text not null,
  amount_minor       bigint not null check (amount_minor >= 0),
  amount_decimals    smallint not null,
  currency           text not null,
  authorised_minor   bigint not null default 0,
  captured_minor     bigint not null default 0,
  refunded_minor     bigint not null default 0,
  charged_back_minor bigint not null default 0,
  financial_day      date,
  decline_reason     text,
  decline_class      text,
  mid_id             uuid,
  mapping_id         uuid,
  channel            text,
  routing            jsonb,
  card_id            uuid,
  -- First six and last four digits: what the signatures of later requests and callbacks cover.
  pan10              text check (pan10 ~ '^[0-9]{10}$'),
  card_mask          text,
  card_expiry        text,
  card_source        text,
  card_token         text,
  payer_email        text,
  payer_ip           text,
  payer              jsonb not null default '{}',
  payee              jsonb not null default '{}',
  custom_data        jsonb,
  parameters         jsonb,
  -- Everything else that is known: moto_type, 3DS and browser attributes, stored-credential and acquirer facts, wallet facts.
  facts              jsonb not null default '{}',
  language           text not null default 'en',
  callback_url       text,
  callbacks_made     int not null default 0,
  -- The first step, by which the acquirer knows the payment, and its own reference of it.
  first_transaction  uuid not null,
  reference          text,
  -- The command in flight, if any; the index on transactions keeps it true.
  open_transaction   uuid,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  primary key (merchant_id, id),
  constraint captured_at_most_authorised check (captured_minor between 0 and authorised_minor),
  constraint authorised_at_most_ordered  check (authorised_minor between 0 and amount_minor),
  constraint refunded_at_most_captured   check (refunded_minor between 0 and captured_minor),
  constraint charged_back_at_most_captured check (charged_back_minor between 0 and captured_minor)
);
create index payments_order on payments (merchant_id, order_id, id desc);
create index payments_mid_day on payments (mid_id, financial_day) where financial_day is not null;

create table transactions (
  merchant_id     uuid not null,
  payment_id      uuid not null,
  -- Also the idempotency key of every send to the acquirer, fixed before the first one.
  id              uuid not null,
  type            text not null check (type in ('SALE', 'AUTH', '3DS', 'REDIRECT', 'CAPTURE', 'REFUND', 'REVERSAL', 'VOID', 'DEBIT',
                                                'CREDIT', 'TRANSFER', 'RETRY', 'CHARGEBACK')),
  state           text not null check (state in ('sent', 'success', 'fail', 'waiting', 'undefined')),
  amount_minor    bigint not null check (amount_minor >= 0),
  mid_id          uuid not null,
  reference       text,
  parameters      jsonb,
  facts           jsonb not null default '{}',
  decline_reason  text,
  decline_class   text,
  creditvoid_id   uuid,
  idempotency_use uuid,
  -- The process that is sending it. Each holds an advisory lock of that number for as long as it lives, so that a send whose
  -- process died is known at once.
  sent_by         int,
  -- When the acquirer is asked next, and how often it was; null once decided or given up.
  ask_at          timestamptz,
  asks            int not null default 0,
  lease_until     timestamptz,
  created_at      timestamptz not null,
  ended_at        timestamptz,
  primary key (merchant_id, payment_id, id),
  foreign key (merchant_id, payment_id) references payments,
  constraint creditvoid_id_on_money_back check ((creditvoid_id is not null) = (type in ('REFUND', 'REVERSAL')))
);
-- One command at a time: a second one cannot be written while the first is open, whatever the code believes.
create unique index transactions_one_open on transactions (merchant_id, payment_id)
  where state in ('sent', 'waiting', 'undefined') and type not in ('3DS', 'REDIRECT');
create unique index transactions_idempotency on transactions (merchant_id, idempotency_use) where idempotency_use is not null;
create index transactions_ask on transactions (ask_at) where ask_at is not null;
create index transactions_sent on transactions (sent_by) where state = 'sent';

-- Double entry: one row takes from one account and gives to another, so that postings sum to zero by construction.
create table ledger_entries (
  merchant_id    uuid not null,
  payment_id     uuid not null,
  transaction_id uuid not null,
  position       smallint not null,
  from_account   text not null,
  to_account     text not null check (to_account <> from_account),
  currency       text not null,
  amount_minor   bigint not null check (amount_minor > 0),
  at             timestamptz not null,
  primary key (merchant_id, payment_id, transaction_id, position),
  foreign key (merchant_id, payment_id, transaction_id) references transactions
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_change();

-- Callbacks -----------------------------------------------------------------------------------------------------------

create table callbacks (
  merchant_id    uuid not null,
  payment_id     uuid not null,
  sequence       int not null,
  id             uuid not null,
  transaction_id uuid not null,
  url            text not null,
  content_type   text not null,
  body           text not null,
  state          text not null check (state in ('due', 'delivered', 'failed')),
  attempts       int not null default 0,
  retry_seconds  int[] not null,
  next_at        timestamptz,
  lease_until    timestamptz,
  created_at     timestamptz not null,
  ended_at       timestamptz,
  primary key (merchant_id, payment_id, sequence),
  foreign key (merchant_id, payment_id) references payments,
  check ((state = 'due') = (next_at is not null))
);
create unique index callbacks_id on callbacks (merchant_id, id);
create index callbacks_due on callbacks (next_at) where state = 'due';
create index callbacks_failed on callbacks (merchant_id, id) where state = 'failed';

create table callback_attempts (
  merchant_id  uuid not null,
  callback_id  uuid not null,
  attempt      int not null,
  at           timestamptz not null,
  duration_ms  int not null,
  http_status  int,
  answer       text,
  fault        text,
  acknowledged boolean not null,
  primary key (merchant_id, callback_id, attempt)
);

-- Shared by all merchants that use the address: five timeouts within five minutes block it.
create table callback_urls (
  url           text primary key,
  timeouts      timestamptz[] not null default '{}',
  blocked_until timestamptz
);

-- Edge ----------------------------------------------------------------------------------------------------------------

create table idempotency_keys (
  merchant_id uuid not null,
  key         text not null check (length(key) between 1 and 255),
  body_hash   bytea not null,
  -- Names this use of the key, and is written with the intent: a key may be used anew after a day.
  use_id      uuid not null,
  -- Null while the first request runs; the lease tells whether its process still lives.
  http_status int,
  answer      text,
  lease_until timestamptz,
  created_at  timestamptz not null,
  primary key (merchant_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- What a person has to look at: outcomes that stayed unknown, money that came too late.
create table alerts (
  id          uuid primary key,
  kind        text not null,
  merchant_id uuid,
  payment_id  uuid,
  text        text not null,
  raised_at   timestamptz not null,
  resolved_at timestamptz
);
create index alerts_open on alerts (raised_at) where resolved_at is null;
