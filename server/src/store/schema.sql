-- What the migrations add up to. Written by `npm run db:dump`; do not edit.

-- Functions

CREATE OR REPLACE FUNCTION public.notify_configuration()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('gatehouse_configuration', tg_table_name);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name;
end $function$;

-- Tables

create table acquirer_cursors (
  mid_id uuid not null,
  cursor text not null,
  next_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  constraint acquirer_cursors_pkey PRIMARY KEY (mid_id),
  constraint acquirer_cursors_mid_id_fkey FOREIGN KEY (mid_id) REFERENCES mids(id)
);

create table alerts (
  id uuid not null,
  kind text not null,
  merchant_id uuid,
  payment_id uuid,
  text text not null,
  raised_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint alerts_pkey PRIMARY KEY (id)
);

create table brands (
  code text not null,
  kind text not null,
  title text not null,
  enabled boolean not null default true,
  constraint brands_pkey PRIMARY KEY (code)
);

create table callback_attempts (
  merchant_id uuid not null,
  callback_id uuid not null,
  attempt integer not null,
  at timestamp with time zone not null,
  duration_ms integer not null,
  http_status integer,
  answer text,
  fault text,
  acknowledged boolean not null,
  constraint callback_attempts_pkey PRIMARY KEY (merchant_id, callback_id, attempt)
);

create table callback_urls (
  url text not null,
  timeouts timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  blocked_until timestamp with time zone,
  constraint callback_urls_pkey PRIMARY KEY (url)
);

create table callbacks (
  merchant_id uuid not null,
  payment_id uuid not null,
  sequence integer not null,
  id uuid not null,
  transaction_id uuid not null,
  url text not null,
  content_type text not null,
  body text not null,
  state text not null,
  attempts integer not null default 0,
  retry_seconds integer[] not null,
  next_at timestamp with time zone,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint callbacks_pkey PRIMARY KEY (merchant_id, payment_id, sequence),
  constraint callbacks_merchant_id_payment_id_fkey FOREIGN KEY (merchant_id, payment_id) REFERENCES payments(merchant_id, id),
  constraint callbacks_check CHECK (((state = 'due'::text) = (next_at IS NOT NULL))),
  constraint callbacks_state_check CHECK ((state = ANY (ARRAY['due'::text, 'delivered'::text, 'failed'::text])))
);

create table card_tokens (
  merchant_id uuid not null,
  token text not null,
  card_id uuid not null,
  test boolean not null,
  first_name text,
  last_name text,
  credentials jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  constraint card_tokens_pkey PRIMARY KEY (merchant_id, token),
  constraint card_tokens_merchant_id_card_id_fkey FOREIGN KEY (merchant_id, card_id) REFERENCES cards(merchant_id, id),
  constraint card_tokens_token_check CHECK ((token ~ '^[0-9a-f]{64}$'::text))
);

create table cards (
  merchant_id uuid not null,
  id uuid not null,
  pan_sealed bytea not null,
  bin text not null,
  last_four text not null,
  pan_length integer not null,
  expiry_month integer,
  expiry_year integer,
  holder text,
  network text,
  created_at timestamp with time zone not null,
  constraint cards_pkey PRIMARY KEY (merchant_id, id),
  constraint cards_expiry_month_check CHECK (((expiry_month >= 1) AND (expiry_month <= 12)))
);

create table chains (
  merchant_id uuid not null,
  id uuid not null,
  first_payment uuid not null,
  kind text not null,
  network_transaction_id text,
  created_at timestamp with time zone not null,
  constraint chains_pkey PRIMARY KEY (merchant_id, id),
  constraint chains_merchant_id_first_payment_fkey FOREIGN KEY (merchant_id, first_payment) REFERENCES payments(merchant_id, id),
  constraint chains_kind_check CHECK ((kind = ANY (ARRAY['sale'::text, 'debit'::text])))
);

create table data_keys (
  scope uuid not null,
  version integer not null,
  kek_id text not null,
  wrapped bytea not null,
  created_at timestamp with time zone not null,
  constraint data_keys_pkey PRIMARY KEY (scope, version)
);

create table deferred_commands (
  merchant_id uuid not null,
  payment_id uuid not null,
  command text not null,
  due_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  constraint deferred_commands_pkey PRIMARY KEY (merchant_id, payment_id, command),
  constraint deferred_commands_merchant_id_payment_id_fkey FOREIGN KEY (merchant_id, payment_id) REFERENCES payments(merchant_id, id),
  constraint deferred_commands_command_check CHECK ((command = ANY (ARRAY['CAPTURE'::text, 'RETRY'::text])))
);

create table idempotency_keys (
  merchant_id uuid not null,
  key text not null,
  body_hash bytea not null,
  use_id uuid not null,
  http_status integer,
  answer text,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (merchant_id, key),
  constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)))
);

create table instance (
  only_row boolean not null default true,
  clock_offset_ms bigint not null default 0,
  seeded_at timestamp with time zone,
  constraint instance_pkey PRIMARY KEY (only_row),
  constraint instance_only_row_check CHECK (only_row)
);

create table ledger_entries (
  merchant_id uuid not null,
  payment_id uuid not null,
  transaction_id uuid not null,
  "position" smallint not null,
  from_account text not null,
  to_account text not null,
  currency text not null,
  amount_minor bigint not null,
  at timestamp with time zone not null,
  constraint ledger_entries_pkey PRIMARY KEY (merchant_id, payment_id, transaction_id, "position"),
  constraint ledger_entries_merchant_id_payment_id_transaction_id_fkey FOREIGN KEY (merchant_id, payment_id, transaction_id) REFERENCES transactions(merchant_id, payment_id, id),
  constraint ledger_entries_amount_minor_check CHECK ((amount_minor > 0)),
  constraint ledger_entries_check CHECK ((to_account <> from_account))
);

create table merchant_mappings (
  merchant_id uuid not null,
  id uuid not null,
  mid_id uuid not null,
  channel text,
  priority integer not null default 100,
  weight integer not null default 1,
  day_limit_minor bigint,
  day_limit_count integer,
  week_limit_minor bigint,
  week_limit_count integer,
  enabled boolean not null default true,
  constraint merchant_mappings_pkey PRIMARY KEY (merchant_id, id),
  constraint merchant_mappings_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint merchant_mappings_mid_id_fkey FOREIGN KEY (mid_id) REFERENCES mids(id),
  constraint merchant_mappings_channel_check CHECK (((length(channel) >= 1) AND (length(channel) <= 16))),
  constraint merchant_mappings_day_limit_count_check CHECK ((day_limit_count >= 0)),
  constraint merchant_mappings_day_limit_minor_check CHECK ((day_limit_minor >= 0)),
  constraint merchant_mappings_week_limit_count_check CHECK ((week_limit_count >= 0)),
  constraint merchant_mappings_week_limit_minor_check CHECK ((week_limit_minor >= 0)),
  constraint merchant_mappings_weight_check CHECK ((weight > 0))
);

create table merchants (
  id uuid not null,
  name text not null,
  title text not null,
  key uuid not null,
  test_key uuid not null,
  password_sealed bytea not null,
  previous_password_sealed bytea,
  previous_password_until timestamp with time zone,
  webhook_secrets_sealed bytea not null,
  contact_email text,
  notification_url text,
  test_notification_url text,
  allowed_ips text[] not null default '{}'::text[],
  status text not null default 'active'::text,
  test_only boolean not null default false,
  mpi_service text not null default 'none'::text,
  default_currency text,
  time_zone text not null default 'UTC'::text,
  debit_fixed_minor bigint,
  debit_percent numeric(6,3),
  rate_per_second integer,
  created_at timestamp with time zone not null,
  constraint merchants_pkey PRIMARY KEY (id),
  constraint merchants_key_key UNIQUE (key),
  constraint merchants_name_key UNIQUE (name),
  constraint merchants_test_key_key UNIQUE (test_key),
  constraint merchants_check CHECK ((test_key <> key)),
  constraint merchants_check1 CHECK (((previous_password_sealed IS NULL) = (previous_password_until IS NULL))),
  constraint merchants_mpi_service_check CHECK ((mpi_service = ANY (ARRAY['none'::text, 'sandbox'::text, 'external'::text]))),
  constraint merchants_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text)),
  constraint merchants_rate_per_second_check CHECK ((rate_per_second > 0)),
  constraint merchants_status_check CHECK ((status = ANY (ARRAY['active'::text, 'blocked'::text])))
);

create table mids (
  id uuid not null,
  name text not null,
  connector text not null,
  credentials_sealed bytea not null,
  side text not null,
  enabled boolean not null default true,
  payment_mode text not null default 'SMS/DMS'::text,
  currencies text[] not null default '{}'::text[],
  networks text[] not null default '{}'::text[],
  brands text[] not null default '{}'::text[],
  cards boolean not null default true,
  actions text[] not null default '{sale,auth,debit,credit,transfer,recurring}'::text[],
  wallets text[] not null default '{}'::text[],
  moto_enabled boolean not null default false,
  card_on_file_enabled boolean not null default false,
  zero_amount boolean not null default false,
  card_flow boolean not null default false,
  accepts_decrypted boolean not null default false,
  override_link_target text,
  descriptor text not null default ''::text,
  day_limit_minor bigint,
  day_limit_count integer,
  month_limit_minor bigint,
  month_limit_count integer,
  cut_off text not null default '00:00'::text,
  time_zone text not null default 'UTC'::text,
  auto_capture_hours integer,
  created_at timestamp with time zone not null,
  constraint mids_pkey PRIMARY KEY (id),
  constraint mids_name_key UNIQUE (name),
  constraint mids_auto_capture_hours_check CHECK ((auto_capture_hours > 0)),
  constraint mids_cut_off_check CHECK ((cut_off ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'::text)),
  constraint mids_day_limit_count_check CHECK ((day_limit_count >= 0)),
  constraint mids_day_limit_minor_check CHECK ((day_limit_minor >= 0)),
  constraint mids_month_limit_count_check CHECK ((month_limit_count >= 0)),
  constraint mids_month_limit_minor_check CHECK ((month_limit_minor >= 0)),
  constraint mids_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text)),
  constraint mids_override_link_target_check CHECK ((override_link_target = ANY (ARRAY['_blank'::text, '_self'::text, '_parent'::text, '_top'::text]))),
  constraint mids_payment_mode_check CHECK ((payment_mode = ANY (ARRAY['SMS'::text, 'DMS'::text, 'SMS/DMS'::text]))),
  constraint mids_side_check CHECK ((side = ANY (ARRAY['live'::text, 'test'::text])))
);

create table payer_steps (
  merchant_id uuid not null,
  payment_id uuid not null,
  transaction_id uuid not null,
  kind text not null,
  url text not null,
  method text not null,
  params jsonb not null default '{}'::jsonb,
  mpi jsonb not null default '{}'::jsonb,
  state text not null,
  stored_until timestamp with time zone,
  given_out_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint payer_steps_pkey PRIMARY KEY (merchant_id, payment_id, transaction_id),
  constraint payer_steps_merchant_id_payment_id_transaction_id_fkey FOREIGN KEY (merchant_id, payment_id, transaction_id) REFERENCES transactions(merchant_id, payment_id, id),
  constraint payer_steps_kind_check CHECK ((kind = ANY (ARRAY['3DS'::text, 'REDIRECT'::text]))),
  constraint payer_steps_method_check CHECK ((method = ANY (ARRAY['GET'::text, 'POST'::text]))),
  constraint payer_steps_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'returned'::text, 'expired'::text])))
);

create table payments (
  merchant_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  protocol text not null,
  action text not null,
  kind text not null,
  status text not null,
  test boolean not null,
  recurring boolean not null default false,
  holds boolean not null,
  order_id text not null,
  order_description text not null,
  amount_minor bigint not null,
  amount_decimals smallint not null,
  currency text not null,
  authorised_minor bigint not null default 0,
  captured_minor bigint not null default 0,
  refunded_minor bigint not null default 0,
  charged_back_minor bigint not null default 0,
  financial_day date,
  decline_reason text,
  decline_class text,
  mid_id uuid,
  mapping_id uuid,
  channel text,
  routing jsonb,
  card_id uuid,
  pan10 text,
  card_mask text,
  card_expiry text,
  card_source text,
  card_token text,
  payer_email text,
  payer_ip text,
  payer jsonb not null default '{}'::jsonb,
  payee jsonb not null default '{}'::jsonb,
  custom_data jsonb,
  parameters jsonb,
  facts jsonb not null default '{}'::jsonb,
  language text not null default 'en'::text,
  callback_url text,
  callbacks_made integer not null default 0,
  first_transaction uuid not null,
  reference text,
  open_transaction uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  chain_id uuid,
  subscription_id uuid,
  plan_date date,
  alone_in_order boolean not null default false,
  constraint payments_pkey PRIMARY KEY (merchant_id, id),
  constraint authorised_at_most_ordered CHECK (((authorised_minor >= 0) AND (authorised_minor <= amount_minor))),
  constraint captured_at_most_authorised CHECK (((captured_minor >= 0) AND (captured_minor <= authorised_minor))),
  constraint charged_back_at_most_captured CHECK (((charged_back_minor >= 0) AND (charged_back_minor <= captured_minor))),
  constraint payments_amount_minor_check CHECK ((amount_minor >= 0)),
  constraint payments_kind_check CHECK ((kind = ANY (ARRAY['sale'::text, 'debit'::text, 'credit'::text, 'transfer'::text]))),
  constraint payments_pan10_check CHECK ((pan10 ~ '^[0-9]{10}$'::text)),
  constraint payments_status_check CHECK ((status = ANY (ARRAY['PREPARE'::text, '3DS'::text, 'REDIRECT'::text, 'PENDING'::text, 'SETTLED'::text, 'REVERSAL'::text, 'REFUND'::text, 'VOID'::text, 'CHARGEBACK'::text, 'DECLINED'::text]))),
  constraint refunded_at_most_captured CHECK (((refunded_minor >= 0) AND (refunded_minor <= captured_minor)))
);

create table protocol_mappings (
  merchant_id uuid not null,
  protocol text not null,
  enabled boolean not null default true,
  options jsonb not null default '{}'::jsonb,
  constraint protocol_mappings_pkey PRIMARY KEY (merchant_id, protocol),
  constraint protocol_mappings_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint protocol_mappings_protocol_check CHECK ((protocol = ANY (ARRAY['S2S_CARD'::text, 'S2S_APM'::text, 'CHECKOUT'::text])))
);

create table schedules (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  interval_length integer not null,
  interval_unit text not null,
  day_of_month integer,
  payments_count integer not null,
  delayed_first_payment text not null,
  first_payment_interval_length integer,
  first_payment_interval_unit text,
  first_payment_day_of_week integer,
  first_payment_day_of_month integer,
  delays integer,
  paused boolean not null default false,
  deleted_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  constraint schedules_pkey PRIMARY KEY (merchant_id, id),
  constraint schedules_day_of_month_check CHECK (((day_of_month >= 1) AND (day_of_month <= 31))),
  constraint schedules_delayed_first_payment_check CHECK ((delayed_first_payment = ANY (ARRAY['none'::text, 'delay_by_interval'::text, 'day_of_week'::text, 'day_of_month'::text]))),
  constraint schedules_first_payment_day_of_month_check CHECK (((first_payment_day_of_month >= 1) AND (first_payment_day_of_month <= 31))),
  constraint schedules_first_payment_day_of_week_check CHECK (((first_payment_day_of_week >= 1) AND (first_payment_day_of_week <= 7))),
  constraint schedules_interval_length_check CHECK (((interval_length >= 1) AND (interval_length <= 999))),
  constraint schedules_interval_unit_check CHECK ((interval_unit = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text]))),
  constraint schedules_payments_count_check CHECK (((payments_count >= 1) AND (payments_count <= 9999)))
);

create table schema_migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null,
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

create table subscriptions (
  merchant_id uuid not null,
  id uuid not null,
  chain_id uuid not null,
  schedule_id uuid not null,
  version integer not null default 1,
  state text not null,
  ended_reason text,
  d date not null,
  time_of_day time without time zone not null,
  start_date date,
  amount_minor bigint not null,
  amount_decimals smallint not null,
  plan jsonb not null,
  next_date date,
  next_at timestamp with time zone,
  lease_until timestamp with time zone,
  started_by uuid not null,
  last_payment uuid,
  created_at timestamp with time zone not null,
  constraint subscriptions_pkey PRIMARY KEY (merchant_id, id),
  constraint subscriptions_merchant_id_chain_id_fkey FOREIGN KEY (merchant_id, chain_id) REFERENCES chains(merchant_id, id),
  constraint subscriptions_merchant_id_schedule_id_fkey FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules(merchant_id, id),
  constraint subscriptions_amount_minor_check CHECK ((amount_minor > 0)),
  constraint subscriptions_check CHECK (((state = 'running'::text) OR (next_at IS NULL))),
  constraint subscriptions_state_check CHECK ((state = ANY (ARRAY['running'::text, 'ended'::text])))
);

create table transactions (
  merchant_id uuid not null,
  payment_id uuid not null,
  id uuid not null,
  type text not null,
  state text not null,
  amount_minor bigint not null,
  mid_id uuid not null,
  reference text,
  parameters jsonb,
  facts jsonb not null default '{}'::jsonb,
  decline_reason text,
  decline_class text,
  creditvoid_id uuid,
  idempotency_use uuid,
  sent_by integer,
  ask_at timestamp with time zone,
  asks integer not null default 0,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint transactions_pkey PRIMARY KEY (merchant_id, payment_id, id),
  constraint transactions_merchant_id_payment_id_fkey FOREIGN KEY (merchant_id, payment_id) REFERENCES payments(merchant_id, id),
  constraint creditvoid_id_on_money_back CHECK (((creditvoid_id IS NOT NULL) = (type = ANY (ARRAY['REFUND'::text, 'REVERSAL'::text])))),
  constraint transactions_amount_minor_check CHECK ((amount_minor >= 0)),
  constraint transactions_state_check CHECK ((state = ANY (ARRAY['sent'::text, 'success'::text, 'fail'::text, 'waiting'::text, 'undefined'::text]))),
  constraint transactions_type_check CHECK ((type = ANY (ARRAY['SALE'::text, 'AUTH'::text, '3DS'::text, 'REDIRECT'::text, 'CAPTURE'::text, 'REFUND'::text, 'REVERSAL'::text, 'VOID'::text, 'DEBIT'::text, 'CREDIT'::text, 'TRANSFER'::text, 'RETRY'::text, 'CHARGEBACK'::text])))
);

create table wallet_token_uses (
  wallet text not null,
  token_hash bytea not null,
  merchant_id uuid not null,
  payment_id uuid not null,
  used_at timestamp with time zone not null,
  constraint wallet_token_uses_pkey PRIMARY KEY (wallet, token_hash),
  constraint wallet_token_uses_merchant_id_payment_id_fkey FOREIGN KEY (merchant_id, payment_id) REFERENCES payments(merchant_id, id),
  constraint wallet_token_uses_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint wallet_token_uses_wallet_check CHECK ((wallet = ANY (ARRAY['walletapay'::text, 'walletbpay'::text])))
);

-- Indexes

CREATE INDEX alerts_open ON public.alerts USING btree (raised_at) WHERE (resolved_at IS NULL);
CREATE INDEX callbacks_due ON public.callbacks USING btree (next_at) WHERE (state = 'due'::text);
CREATE INDEX callbacks_failed ON public.callbacks USING btree (merchant_id, id) WHERE (state = 'failed'::text);
CREATE UNIQUE INDEX callbacks_id ON public.callbacks USING btree (merchant_id, id);
CREATE UNIQUE INDEX card_tokens_card ON public.card_tokens USING btree (merchant_id, card_id, test);
CREATE UNIQUE INDEX card_tokens_token ON public.card_tokens USING btree (token);
CREATE UNIQUE INDEX chains_first_payment ON public.chains USING btree (merchant_id, first_payment);
CREATE INDEX deferred_commands_due ON public.deferred_commands USING btree (due_at);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);
CREATE UNIQUE INDEX merchant_mappings_once ON public.merchant_mappings USING btree (merchant_id, mid_id, COALESCE(channel, ''::text));
CREATE INDEX payer_steps_due ON public.payer_steps USING btree (expires_at) WHERE (state = 'waiting'::text);
CREATE INDEX payer_steps_payment ON public.payer_steps USING btree (payment_id);
CREATE UNIQUE INDEX payments_alone_in_order ON public.payments USING btree (merchant_id, order_id, test) WHERE (alone_in_order AND (status <> 'DECLINED'::text));
CREATE INDEX payments_chain ON public.payments USING btree (merchant_id, chain_id) WHERE (chain_id IS NOT NULL);
CREATE INDEX payments_mid_day ON public.payments USING btree (mid_id, financial_day) WHERE (financial_day IS NOT NULL);
CREATE INDEX payments_order ON public.payments USING btree (merchant_id, order_id, id DESC);
CREATE UNIQUE INDEX payments_plan_date ON public.payments USING btree (merchant_id, subscription_id, plan_date) WHERE (subscription_id IS NOT NULL);
CREATE INDEX payments_recurring_card ON public.payments USING btree (merchant_id, card_id) WHERE recurring;
CREATE INDEX subscriptions_due ON public.subscriptions USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE UNIQUE INDEX subscriptions_one_running ON public.subscriptions USING btree (merchant_id, chain_id) WHERE (state = 'running'::text);
CREATE INDEX subscriptions_schedule ON public.subscriptions USING btree (merchant_id, schedule_id) WHERE (state = 'running'::text);
CREATE INDEX transactions_ask ON public.transactions USING btree (ask_at) WHERE (ask_at IS NOT NULL);
CREATE UNIQUE INDEX transactions_idempotency ON public.transactions USING btree (merchant_id, idempotency_use) WHERE (idempotency_use IS NOT NULL);
CREATE UNIQUE INDEX transactions_one_open ON public.transactions USING btree (merchant_id, payment_id) WHERE ((state = ANY (ARRAY['sent'::text, 'waiting'::text, 'undefined'::text])) AND (type <> ALL (ARRAY['3DS'::text, 'REDIRECT'::text])));
CREATE INDEX transactions_sent ON public.transactions USING btree (sent_by) WHERE (state = 'sent'::text);

-- Triggers

CREATE TRIGGER brands_notify AFTER INSERT OR DELETE OR UPDATE ON public.brands FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER instance_notify AFTER UPDATE ON public.instance FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER merchant_mappings_notify AFTER INSERT OR DELETE OR UPDATE ON public.merchant_mappings FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER merchants_notify AFTER INSERT OR DELETE OR UPDATE ON public.merchants FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER mids_notify AFTER INSERT OR DELETE OR UPDATE ON public.mids FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER protocol_mappings_notify AFTER INSERT OR DELETE OR UPDATE ON public.protocol_mappings FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
