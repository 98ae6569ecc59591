-- What the migrations add up to. Written by `npm run db:dump`; do not edit.

-- Functions

CREATE OR REPLACE FUNCTION public.claim_key_use()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into key_uses (merchant_id, use_id, payment_id, transaction_id)
  values (new.merchant_id, new.idempotency_use, new.payment_id, new.id) on conflict do nothing;
  if not found and not exists (select 1 from key_uses
    where merchant_id = new.merchant_id and use_id = new.idempotency_use and transaction_id = new.id)
  then
    raise unique_violation using message = 'duplicate claim violates unique constraint "transactions_idempotency"',
      constraint = 'transactions_idempotency', table = 'transactions';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.claim_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  stands boolean := new.status <> 'DECLINED';
  stood  boolean := tg_op = 'UPDATE' and old.status <> 'DECLINED';
  had_order boolean := stood and old.alone_in_order;
  rule text;
begin
  if stands and new.alone_in_order and not had_order then
    insert into order_claims (merchant_id, order_id, test, payment_id)
    values (new.merchant_id, new.order_id, new.test, new.id) on conflict do nothing;
    if not found and not exists (select 1 from order_claims
      where merchant_id = new.merchant_id and order_id = new.order_id and test = new.test and payment_id = new.id)
    then rule := 'payments_alone_in_order'; end if;
  elsif had_order and not (stands and new.alone_in_order) then
    delete from order_claims
    where merchant_id = new.merchant_id and order_id = new.order_id and test = new.test and payment_id = new.id;
  end if;

  if new.session_id is not null and stands and not stood then
    insert into session_claims (merchant_id, session_id, payment_id)
    values (new.merchant_id, new.session_id, new.id) on conflict do nothing;
    if not found and not exists (select 1 from session_claims
      where merchant_id = new.merchant_id and session_id = new.session_id and payment_id = new.id)
    then rule := 'payments_alone_in_session'; end if;
  elsif new.session_id is not null and stood and not stands then
    delete from session_claims
    where merchant_id = new.merchant_id and session_id = new.session_id and payment_id = new.id;
  end if;

  if tg_op = 'INSERT' and new.plan_date is not null and new.subscription_id is not null and new.attempt = 1 then
    insert into plan_claims (merchant_id, subscription_id, plan_date, payment_id)
    values (new.merchant_id, new.subscription_id, new.plan_date, new.id) on conflict do nothing;
    if not found and not exists (select 1 from plan_claims
      where merchant_id = new.merchant_id and subscription_id = new.subscription_id and plan_date = new.plan_date and payment_id = new.id)
    then rule := 'payments_plan_date'; end if;
  end if;

  if rule is not null then
    raise unique_violation using message = format('duplicate claim violates unique constraint "%s"', rule), constraint = rule, table = 'payments';
  end if;
  return null;
end $function$;

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

CREATE OR REPLACE FUNCTION public.sum_up_payouts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into settlement_payouts as known (mid_id, payout, currency, net_minor, first_day, last_day)
  select mid_id, payout, currency, sum(net_minor), min(booked_on), max(booked_on) from added
  where payout is not null group by mid_id, payout, currency
  on conflict (mid_id, payout, currency) do update set net_minor = known.net_minor + excluded.net_minor,
    first_day = least(known.first_day, excluded.first_day), last_day = greatest(known.last_day, excluded.last_day);
  return null;
end $function$;

-- Tables

create table account_entries (
  merchant_id uuid not null,
  source text not null,
  "position" smallint not null,
  from_account text not null,
  to_account text not null,
  currency text not null,
  amount_minor numeric(38,0) not null,
  at timestamp with time zone not null,
  constraint account_entries_pkey PRIMARY KEY (merchant_id, source, "position"),
  constraint account_entries_amount_minor_check CHECK ((amount_minor > (0)::numeric)),
  constraint account_entries_check CHECK ((to_account <> from_account))
);

create table acquirer_cursors (
  mid_id uuid not null,
  cursor text not null,
  next_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  leased_by integer,
  constraint acquirer_cursors_pkey PRIMARY KEY (mid_id),
  constraint acquirer_cursors_mid_id_fkey FOREIGN KEY (mid_id) REFERENCES mids(id)
);

create table acquirer_events (
  mid_id uuid not null,
  kind text not null,
  reference text not null,
  notification_id text not null,
  payment_id uuid,
  event jsonb not null,
  state text not null default 'due'::text,
  tries integer not null default 0,
  due_at timestamp with time zone,
  received_at timestamp with time zone not null,
  note text,
  lease_until timestamp with time zone,
  leased_by integer,
  constraint acquirer_events_pkey PRIMARY KEY (mid_id, kind, reference),
  constraint acquirer_events_state_check CHECK ((state = ANY (ARRAY['due'::text, 'entered'::text, 'failed'::text])))
);

create table acquirer_notifications (
  mid_id uuid not null,
  id text not null,
  received_at timestamp with time zone not null,
  events integer not null,
  constraint acquirer_notifications_pkey PRIMARY KEY (mid_id, id)
);

create table admin_sessions (
  id uuid not null,
  token_hash bytea not null,
  user_id uuid not null,
  method text not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  user_agent text not null,
  address text not null,
  proven_at timestamp with time zone,
  proven_by text,
  constraint admin_sessions_pkey PRIMARY KEY (id),
  constraint admin_sessions_token_hash_key UNIQUE (token_hash),
  constraint admin_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint admin_sessions_method_check CHECK ((method = ANY (ARRAY['password'::text, 'password+totp'::text, 'password+recovery'::text, 'passkey'::text, 'sso'::text]))),
  constraint admin_sessions_proven_by_check CHECK ((proven_by = ANY (ARRAY['password'::text, 'totp'::text, 'recovery'::text, 'passkey'::text, 'sso'::text]))),
  constraint admin_sessions_token_hash_check CHECK ((length(token_hash) = 32))
);

create table alert_channels (
  id uuid not null,
  name text not null,
  kind text not null,
  target_sealed bytea not null,
  shown_target text not null,
  secret_sealed bytea,
  kinds text[] not null,
  least_severity text not null,
  quiet_from smallint,
  quiet_until smallint,
  time_zone text not null,
  digest_minutes integer not null,
  is_enabled boolean not null,
  created_at timestamp with time zone not null,
  last_sent_at timestamp with time zone,
  last_fault text,
  last_fault_at timestamp with time zone,
  lease_until timestamp with time zone,
  leased_by integer,
  constraint alert_channels_pkey PRIMARY KEY (id),
  constraint alert_channels_name_key UNIQUE (name),
  constraint alert_channels_check CHECK (((secret_sealed IS NULL) = (kind <> 'webhook'::text))),
  constraint alert_channels_check1 CHECK (((quiet_from IS NULL) = (quiet_until IS NULL))),
  constraint alert_channels_digest_minutes_check CHECK (((digest_minutes >= 0) AND (digest_minutes <= 1440))),
  constraint alert_channels_kind_check CHECK ((kind = ANY (ARRAY['mail'::text, 'webhook'::text, 'chat'::text]))),
  constraint alert_channels_least_severity_check CHECK ((least_severity = ANY (ARRAY['notice'::text, 'warning'::text, 'critical'::text]))),
  constraint alert_channels_quiet_from_check CHECK (((quiet_from >= 0) AND (quiet_from <= 1439))),
  constraint alert_channels_quiet_until_check CHECK (((quiet_until >= 0) AND (quiet_until <= 1439)))
);

create table alert_messages (
  channel_id uuid not null,
  alert_id uuid not null,
  next_at timestamp with time zone not null,
  attempts smallint not null default 0,
  constraint alert_messages_pkey PRIMARY KEY (channel_id, alert_id),
  constraint alert_messages_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES alert_channels(id) ON DELETE CASCADE
);

create table alerts (
  id uuid not null,
  kind text not null,
  merchant_id uuid,
  payment_id uuid,
  text text not null,
  raised_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  announced_at timestamp with time zone,
  constraint alerts_pkey PRIMARY KEY (id)
);

create table approvals (
  id uuid not null,
  kind text not null,
  merchant_id uuid,
  subject text not null,
  request jsonb not null,
  reason text not null,
  asked_by uuid not null,
  asked_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  state text not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  note text,
  result jsonb,
  announced_at timestamp with time zone,
  constraint approvals_pkey PRIMARY KEY (id),
  constraint approvals_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id),
  constraint approvals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  constraint approvals_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint another_person CHECK (((decided_by IS NULL) OR (state = 'withdrawn'::text) OR (decided_by <> asked_by))),
  constraint approvals_kind_check CHECK ((kind = ANY (ARRAY['refund'::text, 'password-reveal'::text, 'routing-publish'::text, 'outcome'::text, 'give-back'::text, 'difference'::text, 'factor-reset'::text, 'payout-run'::text, 'correction'::text, 'payout-account'::text, 'user-rights'::text, 'dispute'::text]))),
  constraint approvals_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'approved'::text, 'done'::text, 'refused'::text, 'withdrawn'::text, 'failed'::text]))),
  constraint decided_by_somebody CHECK (((state = 'waiting'::text) = (decided_by IS NULL)))
);

create table audit_log (
  seq bigint not null,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  subject text not null,
  merchant_id uuid,
  before text,
  after text,
  address text,
  previous_hash text not null,
  hash text not null,
  constraint audit_log_pkey PRIMARY KEY (seq),
  constraint audit_log_at_check CHECK ((at = date_trunc('milliseconds'::text, at))),
  constraint audit_log_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  constraint audit_log_previous_hash_check CHECK ((previous_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint audit_log_seq_check CHECK ((seq > 0))
);

create table bank_coverage (
  account text not null,
  currency text not null,
  first_day date not null,
  last_day date not null,
  constraint bank_coverage_pkey PRIMARY KEY (account, currency)
);

create table bank_differences (
  id uuid not null,
  mid_id uuid,
  payout text,
  day date not null,
  kind text not null,
  currency text not null,
  announced_minor numeric(38,0),
  booked_minor numeric(38,0),
  account text,
  line_ref text,
  found_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  note text,
  posted_minor numeric(38,0) not null default 0,
  constraint bank_differences_pkey PRIMARY KEY (id),
  constraint bank_differences_kind_check CHECK ((kind = ANY (ARRAY['bank-missing'::text, 'bank-amount'::text, 'bank-currency'::text, 'bank-doubled'::text, 'bank-unknown'::text]))),
  constraint resolved_with_a_note CHECK (((resolved_at IS NULL) = (note IS NULL)))
);

create table bank_lines (
  account text not null,
  ref text not null,
  currency text not null,
  amount_minor numeric(38,0) not null,
  booked_on date not null,
  end_to_end text,
  text text not null,
  item_id uuid,
  mid_id uuid,
  payout text,
  imported_by text not null,
  imported_at timestamp with time zone not null,
  party text,
  constraint bank_lines_pkey PRIMARY KEY (account, ref)
);

create table book_entries (
  source text not null,
  "position" smallint not null,
  mid_id uuid,
  merchant_id uuid,
  from_account text not null,
  to_account text not null,
  currency text not null,
  amount_minor numeric(38,0) not null,
  on_day date not null,
  at timestamp with time zone not null,
  constraint book_entries_pkey PRIMARY KEY (source, "position"),
  constraint book_entries_amount_minor_check CHECK ((amount_minor > (0)::numeric)),
  constraint book_entries_check CHECK ((to_account <> from_account))
);

create table brands (
  code text not null,
  kind text not null,
  title text not null,
  enabled boolean not null default true,
  record jsonb,
  version integer not null default 1,
  changed_by text,
  changed_at timestamp with time zone,
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
) partition by RANGE (callback_id);

create table callback_credentials (
  merchant_id uuid not null,
  id uuid not null,
  sealed bytea not null,
  created_at timestamp with time zone not null,
  constraint callback_credentials_pkey PRIMARY KEY (merchant_id, id)
);

create table callback_urls (
  url text not null,
  timeouts timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  blocked_until timestamp with time zone,
  unblocked_at timestamp with time zone,
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
  leased_by integer,
  written_in xid8 not null default pg_current_xact_id(),
  constraint callbacks_pkey PRIMARY KEY (merchant_id, payment_id, sequence),
  constraint callbacks_check CHECK (((state = 'due'::text) = (next_at IS NOT NULL))),
  constraint callbacks_state_check CHECK ((state = ANY (ARRAY['due'::text, 'delivered'::text, 'failed'::text])))
) partition by RANGE (payment_id);

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

create table card_tries (
  merchant_id uuid not null,
  card_id uuid not null,
  tries timestamp with time zone[] not null,
  has_room boolean not null,
  constraint card_tries_pkey PRIMARY KEY (merchant_id, card_id),
  constraint card_tries_budget CHECK (has_room)
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
  constraint chains_kind_check CHECK ((kind = ANY (ARRAY['sale'::text, 'debit'::text])))
);

create table claim_fill (
  only_row boolean not null default true,
  cursor uuid,
  filled_at timestamp with time zone,
  constraint claim_fill_pkey PRIMARY KEY (only_row),
  constraint claim_fill_only_row_check CHECK (only_row)
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
  leased_by integer,
  constraint deferred_commands_pkey PRIMARY KEY (merchant_id, payment_id, command),
  constraint deferred_commands_command_check CHECK ((command = ANY (ARRAY['CAPTURE'::text, 'RETRY'::text, 'EXPIRE'::text])))
);

create table dispute_answers (
  merchant_id uuid not null,
  dispute_id uuid not null,
  id uuid not null,
  answer text not null,
  way text not null,
  state text not null,
  reason text,
  note text,
  requested_by text not null,
  requested_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  ended_at timestamp with time zone,
  tries integer not null default 0,
  next_at timestamp with time zone,
  lease_until timestamp with time zone,
  constraint dispute_answers_pkey PRIMARY KEY (merchant_id, dispute_id, id),
  constraint dispute_answers_merchant_id_dispute_id_fkey FOREIGN KEY (merchant_id, dispute_id) REFERENCES disputes(merchant_id, id),
  constraint dispute_answers_answer_check CHECK ((answer = ANY (ARRAY['accepted'::text, 'contested'::text]))),
  constraint dispute_answers_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'taken'::text, 'refused'::text, 'unknown'::text]))),
  constraint dispute_answers_way_check CHECK ((way = ANY (ARRAY['acquirer'::text, 'hand'::text])))
);

create table dispute_files (
  merchant_id uuid not null,
  dispute_id uuid not null,
  id uuid not null,
  name text not null,
  type text not null,
  size integer not null,
  sha256 text not null,
  sealed bytea not null,
  added_by text not null,
  added_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  kind text not null default 'other'::text,
  constraint dispute_files_pkey PRIMARY KEY (merchant_id, dispute_id, id),
  constraint dispute_files_merchant_id_dispute_id_fkey FOREIGN KEY (merchant_id, dispute_id) REFERENCES disputes(merchant_id, id),
  constraint dispute_files_size_check CHECK ((size > 0)),
  constraint dispute_files_type_check CHECK ((type = ANY (ARRAY['application/pdf'::text, 'image/png'::text, 'image/jpeg'::text])))
);

create table disputes (
  merchant_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  mid_id uuid not null,
  reference text not null,
  reason_code text not null,
  amount_minor numeric(38,0) not null,
  currency text not null,
  amount_decimals smallint not null,
  network text,
  stage text not null,
  answer text,
  answered_at timestamp with time zone,
  due_on date,
  warned_days smallint,
  opened_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  returned_minor numeric(38,0) not null default 0,
  returned_at timestamp with time zone,
  reported_at timestamp with time zone,
  case_reference text,
  charged_back boolean not null default true,
  returned_by_hand boolean not null default false,
  constraint disputes_pkey PRIMARY KEY (merchant_id, id),
  constraint disputes_amount_minor_check CHECK ((amount_minor > (0)::numeric)),
  constraint disputes_answer_check CHECK ((answer = ANY (ARRAY['accepted'::text, 'contested'::text]))),
  constraint disputes_stage_check CHECK ((stage = ANY (ARRAY['inquiry'::text, 'chargeback'::text, 'pre-arbitration'::text, 'won'::text, 'lost'::text])))
);

create table export_file_parts (
  file_id uuid not null,
  part integer not null,
  content bytea not null,
  written_at timestamp with time zone not null,
  constraint export_file_parts_pkey PRIMARY KEY (file_id, part)
);

create table export_runs (
  id uuid not null,
  schedule_id uuid not null,
  period text not null,
  repetition smallint not null,
  period_from timestamp with time zone not null,
  period_to timestamp with time zone not null,
  state text not null,
  asked_by text,
  delivered text[] not null default '{}'::text[],
  attempts smallint not null default 0,
  next_at timestamp with time zone not null,
  file_id uuid,
  row_count bigint,
  byte_count bigint,
  merchants uuid[],
  fault text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  lease_until timestamp with time zone,
  leased_by integer,
  constraint export_runs_pkey PRIMARY KEY (id),
  constraint export_runs_schedule_id_period_repetition_key UNIQUE (schedule_id, period, repetition),
  constraint export_runs_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES export_schedules(id) ON DELETE CASCADE,
  constraint export_runs_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text, 'refused'::text])))
);

create table export_schedules (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  kind text not null,
  filter jsonb not null,
  merchants uuid[],
  columns text[] not null,
  period text not null,
  time_zone text not null,
  minute_of_day smallint not null,
  target_kind text not null,
  addresses text[] not null,
  url_sealed bytea,
  secret_sealed bytea,
  shown_target text not null,
  paused_at timestamp with time zone,
  pause_reason text,
  next_day date not null,
  next_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint export_schedules_pkey PRIMARY KEY (id),
  constraint export_schedules_user_id_name_key UNIQUE (user_id, name),
  constraint export_schedules_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint export_schedules_check CHECK (((target_kind = 'mail'::text) = (cardinality(addresses) > 0))),
  constraint export_schedules_check1 CHECK (((target_kind = 'https'::text) = ((url_sealed IS NOT NULL) AND (secret_sealed IS NOT NULL)))),
  constraint export_schedules_kind_check CHECK ((kind = ANY (ARRAY['payments'::text, 'transactions'::text]))),
  constraint export_schedules_minute_of_day_check CHECK (((minute_of_day >= 0) AND (minute_of_day <= 1439))),
  constraint export_schedules_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint export_schedules_period_check CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text]))),
  constraint export_schedules_target_kind_check CHECK ((target_kind = ANY (ARRAY['mail'::text, 'https'::text])))
);

create table exports (
  user_id uuid not null,
  id uuid not null,
  kind text not null,
  filter jsonb not null,
  state text not null,
  rows_total bigint not null,
  rows_written bigint not null default 0,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint exports_pkey PRIMARY KEY (user_id, id),
  constraint exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint exports_kind_check CHECK ((kind = ANY (ARRAY['payments'::text, 'transactions'::text, 'audit'::text]))),
  constraint exports_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'running'::text, 'done'::text, 'cancelled'::text, 'failed'::text])))
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
  taken_at timestamp with time zone,
  constraint idempotency_keys_pkey PRIMARY KEY (merchant_id, key),
  constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 256)))
);

create table instance (
  only_row boolean not null default true,
  clock_offset_ms bigint not null default 0,
  seeded_at timestamp with time zone,
  mode text,
  crypto_currencies jsonb,
  recovering_since timestamp with time zone,
  recovery_reason text,
  reconciled_at timestamp with time zone,
  recovered_at timestamp with time zone,
  compared_at timestamp with time zone,
  mids_not_compared text[],
  effects_not_in_record integer,
  reconciliation_left jsonb,
  constraint instance_pkey PRIMARY KEY (only_row),
  constraint instance_mode_check CHECK ((mode = ANY (ARRAY['sandbox'::text, 'live'::text]))),
  constraint instance_only_row_check CHECK (only_row)
);

create table instance_pulse (
  only_row boolean not null default true,
  id uuid not null default gen_random_uuid(),
  beats bigint not null default 0,
  cluster text,
  constraint instance_pulse_pkey PRIMARY KEY (only_row),
  constraint instance_pulse_only_row_check CHECK (only_row)
);

create table key_uses (
  merchant_id uuid not null,
  use_id uuid not null,
  payment_id uuid not null,
  transaction_id uuid not null,
  constraint key_uses_pkey PRIMARY KEY (merchant_id, use_id)
);

create table ledger_entries (
  merchant_id uuid not null,
  payment_id uuid not null,
  transaction_id uuid not null,
  "position" smallint not null,
  from_account text not null,
  to_account text not null,
  currency text not null,
  amount_minor numeric(38,0) not null,
  at timestamp with time zone not null,
  constraint ledger_entries_pkey PRIMARY KEY (merchant_id, payment_id, transaction_id, "position"),
  constraint ledger_entries_amount_minor_check CHECK ((amount_minor > (0)::numeric)),
  constraint ledger_entries_check CHECK ((to_account <> from_account))
) partition by RANGE (payment_id);

create table limit_sums (
  owner uuid not null,
  period text not null,
  starts date not null,
  currency text not null,
  used numeric(38,0) not null,
  most numeric(38,0),
  constraint limit_sums_pkey PRIMARY KEY (owner, period, starts, currency),
  constraint limit_sums_period_check CHECK ((period = ANY (ARRAY['mid day'::text, 'mid month'::text, 'mapping day'::text, 'mapping week'::text]))),
  constraint mapping_day_limit CHECK (((period <> 'mapping day'::text) OR (used <= COALESCE(most, used)))),
  constraint mapping_week_limit CHECK (((period <> 'mapping week'::text) OR (used <= COALESCE(most, used)))),
  constraint mid_day_limit CHECK (((period <> 'mid day'::text) OR (used <= COALESCE(most, used)))),
  constraint mid_month_limit CHECK (((period <> 'mid month'::text) OR (used <= COALESCE(most, used))))
);

create table limit_uses (
  owner uuid not null,
  period text not null,
  starts date not null,
  amount_minor numeric(38,0) not null,
  count bigint not null,
  most_minor numeric(38,0),
  most_count bigint,
  constraint limit_uses_pkey PRIMARY KEY (owner, period, starts),
  constraint limit_uses_period_check CHECK ((period = ANY (ARRAY['mid day'::text, 'mid month'::text, 'mapping day'::text, 'mapping week'::text]))),
  constraint mapping_day_limit CHECK (((period <> 'mapping day'::text) OR ((amount_minor <= COALESCE(most_minor, amount_minor)) AND (count <= COALESCE(most_count, count))))),
  constraint mapping_week_limit CHECK (((period <> 'mapping week'::text) OR ((amount_minor <= COALESCE(most_minor, amount_minor)) AND (count <= COALESCE(most_count, count))))),
  constraint mid_day_limit CHECK (((period <> 'mid day'::text) OR ((amount_minor <= COALESCE(most_minor, amount_minor)) AND (count <= COALESCE(most_count, count))))),
  constraint mid_month_limit CHECK (((period <> 'mid month'::text) OR ((amount_minor <= COALESCE(most_minor, amount_minor)) AND (count <= COALESCE(most_count, count)))))
);

create table long_work (
  user_id uuid not null,
  id uuid not null,
  kind text not null,
  request jsonb not null,
  state text not null,
  total bigint not null,
  done bigint not null default 0,
  failed bigint not null default 0,
  failures jsonb not null default '[]'::jsonb,
  cursor text not null default ''::text,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint long_work_pkey PRIMARY KEY (user_id, id),
  constraint long_work_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint long_work_kind_check CHECK ((kind = ANY (ARRAY['capture'::text, 'resend'::text]))),
  constraint long_work_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'cancelled'::text, 'failed'::text]))),
  constraint over_or_running CHECK (((state = 'running'::text) = (ended_at IS NULL)))
);

create table mails (
  id uuid not null,
  recipient text not null,
  subject text not null,
  text text not null,
  written_at timestamp with time zone not null,
  attempts integer not null default 0,
  next_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  leased_by integer,
  constraint mails_pkey PRIMARY KEY (id)
);

create table merchant_brandings (
  merchant_id uuid not null,
  heading text,
  background text,
  button text,
  logo bytea,
  logo_type text,
  logo_hash text,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  template text not null default 'card'::text,
  constraint merchant_brandings_pkey PRIMARY KEY (merchant_id),
  constraint merchant_brandings_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint merchant_brandings_background_check CHECK ((background ~ '^#[0-9a-f]{6}$'::text)),
  constraint merchant_brandings_button_check CHECK ((button ~ '^#[0-9a-f]{6}$'::text)),
  constraint merchant_brandings_check CHECK ((num_nulls(logo, logo_type, logo_hash) = ANY (ARRAY[0, 3]))),
  constraint merchant_brandings_heading_check CHECK ((heading ~ '^#[0-9a-f]{6}$'::text)),
  constraint merchant_brandings_logo_check CHECK ((length(logo) <= 102400)),
  constraint merchant_brandings_logo_type_check CHECK ((logo_type = ANY (ARRAY['image/png'::text, 'image/svg+xml'::text])))
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
  day_limit_amounts jsonb not null default '{}'::jsonb,
  week_limit_amounts jsonb not null default '{}'::jsonb,
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
  rate_per_second integer,
  created_at timestamp with time zone not null,
  debit_commission jsonb not null default '{}'::jsonb,
  vat_percent text,
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

create table mid_answers (
  minute timestamp with time zone not null,
  mid_id uuid not null,
  network text not null,
  country text not null,
  currency text not null,
  approved integer not null,
  declined integer not null,
  constraint mid_answers_pkey PRIMARY KEY (minute, mid_id, network, country, currency),
  constraint mid_answers_mid_id_fkey FOREIGN KEY (mid_id) REFERENCES mids(id),
  constraint mid_answers_approved_check CHECK ((approved >= 0)),
  constraint mid_answers_declined_check CHECK ((declined >= 0))
);

create table mid_breakers (
  mid_id uuid not null,
  state text not null,
  since timestamp with time zone not null,
  probes integer not null,
  hand text,
  version bigint not null,
  constraint mid_breakers_pkey PRIMARY KEY (mid_id),
  constraint mid_breakers_mid_id_fkey FOREIGN KEY (mid_id) REFERENCES mids(id),
  constraint mid_breakers_hand_check CHECK ((hand = ANY (ARRAY['open'::text, 'closed'::text]))),
  constraint mid_breakers_probes_check CHECK ((probes >= 0)),
  constraint mid_breakers_state_check CHECK ((state = ANY (ARRAY['closed'::text, 'open'::text])))
);

create table mid_exchanges (
  slot timestamp with time zone not null,
  mid_id uuid not null,
  answered integer not null,
  failed integer not null,
  constraint mid_exchanges_pkey PRIMARY KEY (slot, mid_id),
  constraint mid_exchanges_mid_id_fkey FOREIGN KEY (mid_id) REFERENCES mids(id),
  constraint mid_exchanges_answered_check CHECK ((answered >= 0)),
  constraint mid_exchanges_failed_check CHECK ((failed >= 0))
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
  payer_fields text[] not null default '{}'::text[],
  day_limit_amounts jsonb not null default '{}'::jsonb,
  month_limit_amounts jsonb not null default '{}'::jsonb,
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

create table missing_buttons (
  merchant_id uuid not null,
  side text not null,
  wallet text not null,
  reason text not null,
  source text not null,
  day date not null,
  count integer not null,
  last_at timestamp with time zone not null,
  constraint missing_buttons_pkey PRIMARY KEY (merchant_id, side, wallet, day, reason, source),
  constraint missing_buttons_count_check CHECK ((count > 0)),
  constraint missing_buttons_side_check CHECK ((side = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint missing_buttons_source_check CHECK ((source = ANY (ARRAY['service'::text, 'browser'::text])))
);

create table month_removals (
  suffix text not null,
  ends_before timestamp with time zone not null,
  payments bigint not null,
  begun_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint month_removals_pkey PRIMARY KEY (suffix)
);

create table open_cascades (
  merchant_id uuid not null,
  payment_id uuid not null,
  sent_by integer not null,
  due_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  leased_by integer,
  constraint open_cascades_pkey PRIMARY KEY (merchant_id, payment_id)
);

create table order_claims (
  merchant_id uuid not null,
  order_id text not null,
  test boolean not null,
  payment_id uuid not null,
  constraint order_claims_pkey PRIMARY KEY (merchant_id, order_id, test)
);

create unlogged table page_attempts (
  address text not null,
  times timestamp with time zone[] not null,
  newest timestamp with time zone not null,
  constraint page_attempts_pkey PRIMARY KEY (address)
);

create table passkey_challenges (
  id uuid not null,
  challenge text not null,
  user_id uuid,
  expires_at timestamp with time zone not null,
  network text,
  constraint passkey_challenges_pkey PRIMARY KEY (id),
  constraint passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table password_history (
  user_id uuid not null,
  hash text not null,
  replaced_at timestamp with time zone not null,
  constraint password_history_pkey PRIMARY KEY (user_id, hash),
  constraint password_history_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table password_links (
  code_hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint password_links_pkey PRIMARY KEY (code_hash),
  constraint password_links_user_id_key UNIQUE (user_id),
  constraint password_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint password_links_purpose_check CHECK ((purpose = ANY (ARRAY['invitation'::text, 'reset'::text])))
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
  leased_by integer,
  fields jsonb,
  given_out integer not null default 0,
  constraint payer_steps_pkey PRIMARY KEY (merchant_id, payment_id, transaction_id),
  constraint payer_steps_kind_check CHECK ((kind = ANY (ARRAY['3DS'::text, 'REDIRECT'::text]))),
  constraint payer_steps_method_check CHECK ((method = ANY (ARRAY['GET'::text, 'POST'::text]))),
  constraint payer_steps_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'returned'::text, 'expired'::text])))
);

create table payment_link_sessions (
  merchant_id uuid not null,
  session_id uuid not null,
  link_id uuid not null,
  opened_at timestamp with time zone not null,
  constraint payment_link_sessions_pkey PRIMARY KEY (merchant_id, session_id),
  constraint payment_link_sessions_link_id_fkey FOREIGN KEY (link_id) REFERENCES payment_links(id)
);

create table payment_links (
  id uuid not null,
  merchant_id uuid not null,
  code text not null,
  test boolean not null,
  amount_minor numeric(38,0),
  currency text not null,
  description text not null,
  order_number text,
  uses text not null,
  language text,
  metadata jsonb,
  expires_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  session_id uuid,
  created_by text not null,
  created_at timestamp with time zone not null,
  constraint payment_links_pkey PRIMARY KEY (id),
  constraint payment_links_code_key UNIQUE (code),
  constraint payment_links_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint order_number_of_one_payment CHECK (((order_number IS NULL) OR (uses = 'single'::text))),
  constraint payment_links_amount_minor_check CHECK ((amount_minor > (0)::numeric)),
  constraint payment_links_uses_check CHECK ((uses = ANY (ARRAY['single'::text, 'many'::text])))
);

create table payment_notes (
  merchant_id uuid not null,
  payment_id uuid not null,
  id uuid not null,
  text text not null,
  author text not null,
  written_at timestamp with time zone not null,
  constraint payment_notes_pkey PRIMARY KEY (merchant_id, payment_id, id),
  constraint payment_notes_text_check CHECK (((length(text) >= 1) AND (length(text) <= 2000)))
);

create table payment_reviews (
  merchant_id uuid not null,
  payment_id uuid not null,
  decision text not null,
  reason text not null,
  decided_by text not null,
  decided_at timestamp with time zone not null,
  constraint payment_reviews_pkey PRIMARY KEY (merchant_id, payment_id),
  constraint payment_reviews_decision_check CHECK ((decision = ANY (ARRAY['accepted'::text, 'rejected'::text])))
);

create table payment_secrets (
  merchant_id uuid not null,
  payment_id uuid not null,
  purpose text not null,
  sealed bytea not null,
  constraint payment_secrets_pkey PRIMARY KEY (merchant_id, payment_id, purpose),
  constraint payment_secrets_purpose_check CHECK ((purpose = ANY (ARRAY['wallet'::text, 'parameters'::text])))
);

create table payment_summaries (
  merchant_id uuid not null,
  test boolean not null,
  dimension text not null,
  day date not null,
  value text not null,
  currency text not null,
  decimals smallint not null,
  payments bigint not null,
  approved bigint not null,
  declined bigint not null,
  approved_minor numeric(38,0) not null,
  constraint payment_summaries_pkey PRIMARY KEY (merchant_id, test, dimension, day, value, currency, decimals)
);

create table payment_summary_open (
  merchant_id uuid not null,
  payment_id uuid not null,
  created_at timestamp with time zone not null,
  check_at timestamp with time zone not null,
  constraint payment_summary_open_pkey PRIMARY KEY (merchant_id, payment_id)
);

create table payment_summary_progress (
  one boolean not null default true,
  until timestamp with time zone not null,
  constraint payment_summary_progress_pkey PRIMARY KEY (one),
  constraint payment_summary_progress_one_check CHECK (one)
);

create table payment_tags (
  merchant_id uuid not null,
  payment_id uuid not null,
  tag text not null,
  author text not null,
  tagged_at timestamp with time zone not null,
  constraint payment_tags_pkey PRIMARY KEY (merchant_id, payment_id, tag),
  constraint payment_tags_tag_check CHECK ((tag ~ '^[a-z0-9][a-z0-9._-]{0,39}$'::text))
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
  amount_minor numeric(38,0) not null,
  amount_decimals smallint not null,
  currency text not null,
  authorised_minor numeric(38,0) not null default 0,
  captured_minor numeric(38,0) not null default 0,
  refunded_minor numeric(38,0) not null default 0,
  charged_back_minor numeric(38,0) not null default 0,
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
  session_id uuid,
  cascade_id uuid,
  attempt smallint not null default 1,
  cascading text,
  erased_at timestamp with time zone,
  constraint payments_pkey PRIMARY KEY (merchant_id, id),
  constraint authorised_at_most_ordered CHECK (((authorised_minor >= (0)::numeric) AND (authorised_minor <= amount_minor))),
  constraint captured_at_most_authorised CHECK (((captured_minor >= (0)::numeric) AND (captured_minor <= authorised_minor))),
  constraint charged_back_at_most_captured CHECK (((charged_back_minor >= (0)::numeric) AND (charged_back_minor <= captured_minor))),
  constraint payments_amount_minor_check CHECK ((amount_minor >= (0)::numeric)),
  constraint payments_cascading_check CHECK ((cascading = ANY (ARRAY['continues'::text, 'continued'::text]))),
  constraint payments_kind_check CHECK ((kind = ANY (ARRAY['sale'::text, 'debit'::text, 'credit'::text, 'transfer'::text]))),
  constraint payments_pan10_check CHECK ((pan10 ~ '^[0-9]{10}$'::text)),
  constraint payments_status_check CHECK ((status = ANY (ARRAY['PREPARE'::text, '3DS'::text, 'REDIRECT'::text, 'PENDING'::text, 'SETTLED'::text, 'REVERSAL'::text, 'REFUND'::text, 'VOID'::text, 'CHARGEBACK'::text, 'DECLINED'::text]))),
  constraint refunded_at_most_captured CHECK (((refunded_minor >= (0)::numeric) AND (refunded_minor <= captured_minor)))
) partition by RANGE (id);

create table payout_accounts (
  merchant_id uuid not null,
  currency text not null,
  holder text not null,
  number text not null,
  bic text,
  changed_by text not null,
  changed_at timestamp with time zone not null,
  constraint payout_accounts_pkey PRIMARY KEY (merchant_id, currency),
  constraint payout_accounts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table payout_items (
  merchant_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  statement_id uuid not null,
  currency text not null,
  amount_minor numeric(38,0) not null,
  holder text not null,
  number text not null,
  bic text,
  end_to_end text not null,
  state text not null,
  paid_on date,
  paid_by text,
  constraint payout_items_pkey PRIMARY KEY (merchant_id, id),
  constraint payout_items_end_to_end_key UNIQUE (end_to_end),
  constraint payout_items_run_id_fkey FOREIGN KEY (run_id) REFERENCES payout_runs(id),
  constraint paid_with_a_day CHECK (((state = 'paid'::text) = (paid_on IS NOT NULL))),
  constraint payout_items_amount_minor_check CHECK ((amount_minor > (0)::numeric)),
  constraint payout_items_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'paid'::text, 'cancelled'::text])))
);

create table payout_runs (
  id uuid not null,
  currency text not null,
  state text not null,
  execute_on date not null,
  holder text not null,
  number text not null,
  bic text,
  made_by text not null,
  made_at timestamp with time zone not null,
  file text,
  constraint payout_runs_pkey PRIMARY KEY (id),
  constraint payout_runs_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'cancelled'::text]))),
  constraint sent_with_a_file CHECK (((state = 'sent'::text) = (file IS NOT NULL)))
);

create table plan_claims (
  merchant_id uuid not null,
  subscription_id uuid not null,
  plan_date date not null,
  payment_id uuid not null,
  constraint plan_claims_pkey PRIMARY KEY (merchant_id, subscription_id, plan_date)
);

create table policy_reports (
  rule text not null,
  blocked text not null,
  page text not null,
  source text not null,
  reports bigint not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint policy_reports_pkey PRIMARY KEY (rule, blocked, page, source),
  constraint policy_reports_blocked_check CHECK ((length(blocked) <= 200)),
  constraint policy_reports_page_check CHECK ((length(page) <= 200)),
  constraint policy_reports_reports_check CHECK ((reports > 0)),
  constraint policy_reports_rule_check CHECK ((length(rule) <= 200)),
  constraint policy_reports_source_check CHECK ((length(source) <= 200))
);

create table previewed_logos (
  user_id uuid not null,
  hash text not null,
  type text not null,
  content bytea not null,
  at timestamp with time zone not null,
  constraint previewed_logos_pkey PRIMARY KEY (user_id),
  constraint previewed_logos_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table price_lists (
  merchant_id uuid not null,
  id uuid not null,
  valid_from date not null,
  valid_to date,
  terms jsonb not null,
  made_by text not null,
  made_at timestamp with time zone not null,
  released_to date,
  constraint price_lists_pkey PRIMARY KEY (merchant_id, id),
  constraint price_lists_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint price_list_days CHECK ((valid_to >= valid_from))
);

create table process_beats (
  process integer not null,
  role text not null,
  release text not null,
  beat_at timestamp with time zone not null,
  worked_at timestamp with time zone,
  filler bytea,
  constraint process_beats_pkey PRIMARY KEY (process),
  constraint process_beats_role_check CHECK ((role = ANY (ARRAY['all'::text, 'api'::text, 'worker'::text])))
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

create table recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint recovery_codes_code_hash_check CHECK ((length(code_hash) = 32))
);

create table refused_notifications (
  mid_id uuid not null,
  day date not null,
  refused bigint not null,
  last_at timestamp with time zone not null,
  reason text not null,
  constraint refused_notifications_pkey PRIMARY KEY (mid_id, day)
);

create table refused_requests (
  merchant_id uuid not null,
  id uuid not null,
  request_id text not null,
  side text not null,
  protocol text,
  action text,
  order_id text,
  payment_id uuid,
  step text not null,
  at timestamp with time zone not null,
  refusal jsonb not null,
  constraint refused_requests_pkey PRIMARY KEY (merchant_id, id),
  constraint refused_requests_side_check CHECK ((side = ANY (ARRAY['live'::text, 'test'::text])))
);

create table refused_wallet_tokens (
  merchant_id uuid not null,
  id uuid not null,
  request_id text not null,
  side text not null,
  order_id text,
  protocol text not null,
  at timestamp with time zone not null,
  record jsonb not null,
  constraint refused_wallet_tokens_pkey PRIMARY KEY (merchant_id, id),
  constraint refused_wallet_tokens_side_check CHECK ((side = ANY (ARRAY['live'::text, 'test'::text])))
);

create table retention_runs (
  kind text not null,
  next_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  cursor text not null default ''::text,
  removed bigint not null default 0,
  ended_at timestamp with time zone,
  restarted_at timestamp with time zone,
  constraint retention_runs_pkey PRIMARY KEY (kind),
  constraint retention_runs_removed_check CHECK ((removed >= 0))
);

create table risk_entries (
  id uuid not null,
  merchant_id uuid,
  list text not null,
  kind text not null,
  value text not null,
  network inet,
  reason text not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  created_by text not null,
  constraint risk_entries_pkey PRIMARY KEY (id),
  constraint risk_entries_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint risk_entries_list_check CHECK ((list = ANY (ARRAY['block'::text, 'allow'::text, 'review'::text]))),
  constraint risk_entries_network CHECK (((kind = 'ip'::text) = (network IS NOT NULL))),
  constraint risk_entries_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint risk_entries_value_check CHECK (((length(value) >= 1) AND (length(value) <= 255)))
);

create table risk_velocity (
  scope uuid not null,
  subject text not null,
  counts text not null,
  times timestamp with time zone[] not null,
  amounts numeric[] not null,
  last_at timestamp with time zone not null,
  constraint risk_velocity_pkey PRIMARY KEY (scope, subject, counts)
);

create table roles (
  name text not null,
  title text not null,
  permissions text[] not null,
  created_at timestamp with time zone not null,
  constraint roles_pkey PRIMARY KEY (name),
  constraint roles_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text))
);

create table routing_drafts (
  id uuid not null,
  merchant_id uuid,
  revision integer not null,
  rules jsonb not null,
  note text not null,
  changed_by text not null,
  changed_at timestamp with time zone not null,
  constraint routing_drafts_pkey PRIMARY KEY (id),
  constraint routing_drafts_one_each UNIQUE NULLS NOT DISTINCT (merchant_id),
  constraint routing_drafts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint routing_drafts_revision_check CHECK ((revision > 0))
);

create table routing_sets (
  id uuid not null,
  merchant_id uuid,
  version integer not null,
  rules jsonb not null,
  note text not null,
  restores integer,
  drafted_by text not null,
  published_by text not null,
  published_at timestamp with time zone not null,
  constraint routing_sets_pkey PRIMARY KEY (id),
  constraint routing_sets_versions UNIQUE NULLS NOT DISTINCT (merchant_id, version),
  constraint routing_sets_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint routing_sets_check CHECK (((restores > 0) AND (restores < version))),
  constraint routing_sets_version_check CHECK ((version > 0))
);

create table saved_filters (
  user_id uuid not null,
  id uuid not null,
  page text not null,
  name text not null,
  filter jsonb not null,
  created_at timestamp with time zone not null,
  constraint saved_filters_pkey PRIMARY KEY (user_id, id),
  constraint saved_filters_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
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
  side text not null default 'live'::text,
  constraint schedules_pkey PRIMARY KEY (merchant_id, id),
  constraint schedules_day_of_month_check CHECK (((day_of_month >= 1) AND (day_of_month <= 31))),
  constraint schedules_delayed_first_payment_check CHECK ((delayed_first_payment = ANY (ARRAY['none'::text, 'delay_by_interval'::text, 'day_of_week'::text, 'day_of_month'::text]))),
  constraint schedules_first_payment_day_of_month_check CHECK (((first_payment_day_of_month >= 1) AND (first_payment_day_of_month <= 31))),
  constraint schedules_first_payment_day_of_week_check CHECK (((first_payment_day_of_week >= 1) AND (first_payment_day_of_week <= 7))),
  constraint schedules_interval_length_check CHECK (((interval_length >= 1) AND (interval_length <= 999))),
  constraint schedules_interval_unit_check CHECK ((interval_unit = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text]))),
  constraint schedules_payments_count_check CHECK (((payments_count >= 1) AND (payments_count <= 9999))),
  constraint schedules_side_check CHECK ((side = ANY (ARRAY['live'::text, 'test'::text])))
);

create table schema_migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null,
  oldest_program integer,
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

create table sdk_form_files (
  form uuid not null,
  path text not null,
  content bytea not null,
  constraint sdk_form_files_pkey PRIMARY KEY (form, path),
  constraint sdk_form_files_form_fkey FOREIGN KEY (form) REFERENCES sdk_forms(id) ON DELETE CASCADE
);

create table sdk_forms (
  id uuid not null,
  merchant_id uuid not null,
  form_id text not null,
  version integer not null,
  state text not null,
  template text not null,
  scripts text[] not null default '{}'::text[],
  styles text[] not null default '{}'::text[],
  uploaded_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  approved_at timestamp with time zone,
  constraint sdk_forms_pkey PRIMARY KEY (id),
  constraint sdk_forms_merchant_id_form_id_version_key UNIQUE (merchant_id, form_id, version),
  constraint sdk_forms_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint sdk_forms_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'in review'::text, 'approved'::text, 'withdrawn'::text])))
);

create table service_keys (
  id uuid not null,
  user_id uuid not null,
  key_hash bytea not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint service_keys_pkey PRIMARY KEY (id),
  constraint service_keys_key_hash_key UNIQUE (key_hash),
  constraint service_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint service_keys_key_hash_check CHECK ((length(key_hash) = 32))
);

create table session_claims (
  merchant_id uuid not null,
  session_id uuid not null,
  payment_id uuid not null,
  constraint session_claims_pkey PRIMARY KEY (merchant_id, session_id)
);

create unlogged table session_codes (
  merchant_id uuid not null,
  session_id uuid not null,
  sealed bytea not null,
  expires_at timestamp with time zone not null,
  collection uuid,
  constraint session_codes_pkey PRIMARY KEY (merchant_id, session_id)
);

create table session_keys (
  id uuid not null,
  spki bytea not null,
  private_sealed bytea not null,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint session_keys_pkey PRIMARY KEY (id)
);

create table sessions (
  merchant_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  kind text not null,
  operation text not null,
  test boolean not null,
  order_id text not null,
  request jsonb not null,
  first_payment uuid not null,
  attempts integer not null default 0,
  fields_sealed bytea,
  closed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  collection uuid,
  collection_complete boolean not null default false,
  opened_at timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (merchant_id, id),
  constraint sessions_kind_check CHECK ((kind = ANY (ARRAY['page'::text, 'fields'::text, 'terminal'::text]))) NOT VALID,
  constraint sessions_operation_check CHECK ((operation = ANY (ARRAY['purchase'::text, 'debit'::text, 'credit'::text, 'transfer'::text])))
);

create table settlement_differences (
  id uuid not null,
  mid_id uuid not null,
  day date not null,
  kind text not null,
  currency text not null,
  ours_minor numeric(38,0),
  theirs_minor numeric(38,0),
  merchant_id uuid,
  payment_id uuid,
  transaction_id uuid,
  ref text,
  file_id uuid not null,
  found_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  note text,
  constraint settlement_differences_pkey PRIMARY KEY (id),
  constraint settlement_differences_file_id_fkey FOREIGN KEY (file_id) REFERENCES settlement_files(id),
  constraint resolved_with_a_note CHECK (((resolved_at IS NULL) = (note IS NULL))),
  constraint settlement_differences_kind_check CHECK ((kind = ANY (ARRAY['missing-here'::text, 'missing-there'::text, 'reversal-missing'::text, 'amount'::text, 'currency'::text, 'other-mid'::text, 'other-outcome'::text, 'doubled'::text, 'late'::text]))) NOT VALID
);

create table settlement_files (
  id uuid not null,
  mid_id uuid not null,
  name text not null,
  format text not null,
  sha256 text not null,
  row_count integer not null,
  first_day date,
  last_day date,
  imported_by text not null,
  imported_at timestamp with time zone not null,
  matched integer,
  constraint settlement_files_pkey PRIMARY KEY (id),
  constraint settlement_files_mid_id_sha256_key UNIQUE (mid_id, sha256),
  constraint settlement_files_mid_id_fkey FOREIGN KEY (mid_id) REFERENCES mids(id),
  constraint settlement_files_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);

create table settlement_payouts (
  mid_id uuid not null,
  payout text not null,
  currency text not null,
  net_minor numeric(38,0) not null,
  first_day date not null,
  last_day date not null,
  constraint settlement_payouts_pkey PRIMARY KEY (mid_id, payout, currency)
);

create table settlement_rows (
  mid_id uuid not null,
  ref text not null,
  file_id uuid not null,
  line integer not null,
  kind text not null,
  named_payment uuid,
  named_transaction uuid,
  reference text,
  currency text not null,
  gross_minor numeric(38,0) not null,
  fee_minor numeric(38,0) not null,
  net_minor numeric(38,0) not null,
  booked_on date not null,
  payout text,
  merchant_id uuid,
  payment_id uuid,
  transaction_id uuid,
  processing_currency text,
  processing_minor numeric(38,0),
  rate numeric,
  constraint settlement_rows_pkey PRIMARY KEY (mid_id, ref),
  constraint settlement_rows_file_id_fkey FOREIGN KEY (file_id) REFERENCES settlement_files(id) DEFERRABLE INITIALLY DEFERRED,
  constraint settlement_rows_check CHECK ((net_minor = (gross_minor - fee_minor))),
  constraint settlement_rows_kind_check CHECK ((kind = ANY (ARRAY['charge'::text, 'refund'::text, 'chargeback'::text, 'chargeback-reversal'::text, 'payout'::text, 'fee'::text, 'adjustment'::text]))) NOT VALID
);

create table sign_in_failures (
  subject text not null,
  failures integer not null,
  last_at timestamp with time zone not null,
  locked_until timestamp with time zone,
  noted_at timestamp with time zone,
  unnoted integer not null default 0,
  constraint sign_in_failures_pkey PRIMARY KEY (subject)
);

create table sign_up_links (
  id uuid not null,
  code_hash bytea not null,
  role text not null,
  merchant_ids uuid[] not null,
  domains text[] not null,
  needs_approval boolean not null,
  note text not null,
  uses integer not null,
  used integer not null default 0,
  created_by text not null,
  creator_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint sign_up_links_pkey PRIMARY KEY (id),
  constraint sign_up_links_code_hash_key UNIQUE (code_hash),
  constraint sign_up_links_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint sign_up_links_merchant_ids_check CHECK ((cardinality(merchant_ids) > 0)),
  constraint sign_up_links_uses_check CHECK ((uses > 0)),
  constraint used_at_most_allowed CHECK (((used >= 0) AND (used <= uses)))
);

create table sign_ups (
  id uuid not null,
  link_id uuid not null,
  code_hash bytea not null,
  email text not null,
  name text not null,
  password_hash text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  constraint sign_ups_pkey PRIMARY KEY (id),
  constraint sign_ups_code_hash_key UNIQUE (code_hash),
  constraint sign_ups_link_id_email_key UNIQUE (link_id, email),
  constraint sign_ups_link_id_fkey FOREIGN KEY (link_id) REFERENCES sign_up_links(id) ON DELETE CASCADE
);

create table sso_attempts (
  state_hash bytea not null,
  nonce text not null,
  verifier text not null,
  next_path text not null,
  is_fresh boolean not null,
  expires_at timestamp with time zone not null,
  constraint sso_attempts_pkey PRIMARY KEY (state_hash)
);

create table statements (
  merchant_id uuid not null,
  currency text not null,
  first_day date not null,
  last_day date not null,
  id uuid not null,
  opening_minor numeric(38,0) not null,
  sales_minor numeric(38,0) not null,
  refunds_minor numeric(38,0) not null,
  chargebacks_minor numeric(38,0) not null,
  payouts_minor numeric(38,0) not null,
  fees_minor numeric(38,0) not null,
  held_minor numeric(38,0) not null,
  released_minor numeric(38,0) not null,
  corrections_minor numeric(38,0) not null,
  paid_out_minor numeric(38,0) not null,
  closing_minor numeric(38,0) not null,
  reserve_minor numeric(38,0) not null,
  made_by text not null,
  made_at timestamp with time zone not null,
  constraint statements_pkey PRIMARY KEY (merchant_id, id),
  constraint statement_adds_up CHECK ((closing_minor = (((((((((opening_minor + sales_minor) - refunds_minor) - chargebacks_minor) - payouts_minor) - fees_minor) - held_minor) + released_minor) + corrections_minor) - paid_out_minor))),
  constraint statements_check CHECK ((last_day >= first_day))
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
  leased_by integer,
  constraint subscriptions_pkey PRIMARY KEY (merchant_id, id),
  constraint subscriptions_merchant_id_chain_id_fkey FOREIGN KEY (merchant_id, chain_id) REFERENCES chains(merchant_id, id),
  constraint subscriptions_merchant_id_schedule_id_fkey FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules(merchant_id, id),
  constraint subscriptions_amount_minor_check CHECK ((amount_minor > 0)),
  constraint subscriptions_check CHECK (((state = 'running'::text) OR (next_at IS NULL))),
  constraint subscriptions_state_check CHECK ((state = ANY (ARRAY['running'::text, 'ended'::text])))
);

create table trace_numbers (
  key text not null,
  transaction_id uuid not null,
  reserved_at timestamp with time zone not null default clock_timestamp(),
  constraint trace_numbers_pkey PRIMARY KEY (key)
);

create table transaction_watches (
  merchant_id uuid not null,
  payment_id uuid not null,
  transaction_id uuid not null,
  asks integer not null default 0,
  next_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  leased_by integer,
  constraint transaction_watches_pkey PRIMARY KEY (merchant_id, payment_id, transaction_id)
);

create table transactions (
  merchant_id uuid not null,
  payment_id uuid not null,
  id uuid not null,
  type text not null,
  state text not null,
  amount_minor numeric(38,0) not null,
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
  sent_at timestamp with time zone default clock_timestamp(),
  in_flight_until timestamp with time zone,
  leased_by integer,
  constraint transactions_pkey PRIMARY KEY (merchant_id, payment_id, id),
  constraint creditvoid_id_on_money_back CHECK (((creditvoid_id IS NOT NULL) = (type = ANY (ARRAY['REFUND'::text, 'REVERSAL'::text])))),
  constraint transactions_amount_minor_check CHECK ((amount_minor >= (0)::numeric)),
  constraint transactions_state_check CHECK ((state = ANY (ARRAY['sent'::text, 'success'::text, 'fail'::text, 'waiting'::text, 'undefined'::text]))),
  constraint transactions_type_check CHECK ((type = ANY (ARRAY['SALE'::text, 'AUTH'::text, '3DS'::text, 'REDIRECT'::text, 'CAPTURE'::text, 'REFUND'::text, 'REVERSAL'::text, 'VOID'::text, 'DEBIT'::text, 'CREDIT'::text, 'TRANSFER'::text, 'RETRY'::text, 'CHARGEBACK'::text, 'CALC'::text])))
) partition by RANGE (payment_id);

create table user_merchants (
  merchant_id uuid not null,
  user_id uuid not null,
  constraint user_merchants_pkey PRIMARY KEY (merchant_id, user_id),
  constraint user_merchants_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint user_merchants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table user_passkeys (
  user_id uuid not null,
  id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}'::text[],
  name text not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint user_passkeys_pkey PRIMARY KEY (user_id, id),
  constraint user_passkeys_id_key UNIQUE (id),
  constraint user_passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table users (
  id uuid not null,
  email text not null,
  name text not null,
  password_hash text not null,
  password_changed_at timestamp with time zone not null,
  password_temporary boolean not null default false,
  totp_sealed bytea,
  totp_enabled_at timestamp with time zone,
  totp_last_step bigint not null default 0,
  status text not null default 'active'::text,
  role text not null,
  all_merchants boolean not null,
  created_at timestamp with time zone not null,
  last_sign_in_at timestamp with time zone,
  totp_next bytea,
  require_second_factor boolean not null default false,
  disabled_reason text,
  enabled_at timestamp with time zone,
  temporary_used_at timestamp with time zone,
  is_service boolean not null default false,
  factor_demanded_at timestamp with time zone,
  sso_subject text,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email),
  constraint users_sso_subject_key UNIQUE (sso_subject),
  constraint users_disabled_reason_check CHECK ((disabled_reason = 'unused'::text)),
  constraint users_email_check CHECK ((email = lower(email))),
  constraint users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text])))
);

create table wallet_countries (
  wallet text not null,
  countries text[] not null,
  constraint wallet_countries_pkey PRIMARY KEY (wallet),
  constraint wallet_countries_wallet_check CHECK ((wallet = ANY (ARRAY['walletapay'::text, 'walletbpay'::text])))
);

create table wallet_domains (
  merchant_id uuid not null,
  wallet text not null,
  domain text not null,
  purpose text not null,
  controlled_by text not null,
  state text not null,
  file bytea,
  file_sha256 text,
  last_check timestamp with time zone,
  last_fault text,
  verified_since timestamp with time zone,
  succeeded_at timestamp with time zone,
  verified_at_maker timestamp with time zone,
  added_at timestamp with time zone not null,
  next_check timestamp with time zone,
  lease_until timestamp with time zone,
  constraint wallet_domains_pkey PRIMARY KEY (merchant_id, wallet, domain),
  constraint file_with_digest CHECK (((file IS NULL) = (file_sha256 IS NULL))),
  constraint wallet_domains_controlled_by_check CHECK ((controlled_by = ANY (ARRAY['operator'::text, 'merchant'::text]))),
  constraint wallet_domains_domain_check CHECK (((length(domain) >= 1) AND (length(domain) <= 253))),
  constraint wallet_domains_file_check CHECK (((length(file) >= 1) AND (length(file) <= 65536))),
  constraint wallet_domains_purpose_check CHECK ((purpose = ANY (ARRAY['production'::text, 'test'::text]))),
  constraint wallet_domains_state_check CHECK ((state = ANY (ARRAY['new'::text, 'file ready'::text, 'verified'::text, 'failing'::text, 'suspended'::text, 'removed'::text]))),
  constraint wallet_domains_wallet_check CHECK ((wallet = ANY (ARRAY['walletapay'::text, 'walletbpay'::text])))
);

create table wallet_history (
  merchant_id uuid not null,
  id uuid not null,
  side text,
  wallet text not null,
  at timestamp with time zone not null,
  by_user text not null,
  what text not null,
  details jsonb not null default '{}'::jsonb,
  constraint wallet_history_pkey PRIMARY KEY (merchant_id, id)
);

create table wallet_keys (
  merchant_id uuid not null,
  id uuid not null,
  side text not null,
  wallet text not null,
  role text not null,
  state text not null,
  type text not null,
  private_sealed bytea,
  spki bytea not null,
  fingerprint text not null,
  public_key_hash text not null,
  request text,
  certificate text,
  certificate_until timestamp with time zone,
  until timestamp with time zone,
  added_at timestamp with time zone not null,
  promoted_at timestamp with time zone,
  retired_at timestamp with time zone,
  constraint wallet_keys_pkey PRIMARY KEY (merchant_id, id),
  constraint wallet_keys_merchant_id_side_wallet_fkey FOREIGN KEY (merchant_id, side, wallet) REFERENCES wallet_settings(merchant_id, side, wallet),
  constraint certificate_with_expiry CHECK (((certificate IS NULL) = (certificate_until IS NULL))),
  constraint private_part_while_active CHECK (((state = 'retired'::text) = (private_sealed IS NULL))),
  constraint retiring_ends CHECK (((state = 'retiring'::text) = (until IS NOT NULL))),
  constraint wallet_keys_fingerprint_check CHECK ((fingerprint ~ '^[0-9a-f]{64}$'::text)),
  constraint wallet_keys_role_check CHECK ((role = ANY (ARRAY['processing'::text, 'identity'::text]))),
  constraint wallet_keys_state_check CHECK ((state = ANY (ARRAY['next'::text, 'current'::text, 'retiring'::text, 'retired'::text]))),
  constraint wallet_keys_type_check CHECK ((type = ANY (ARRAY['EC'::text, 'RSA'::text])))
);

create table wallet_notices (
  merchant_id uuid not null,
  side text not null,
  wallet text not null,
  kind text not null,
  subject text not null,
  text text not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  times integer not null default 1,
  muted_reason text,
  resolved_at timestamp with time zone,
  constraint wallet_notices_pkey PRIMARY KEY (merchant_id, side, wallet, kind, subject)
);

create table wallet_settings (
  merchant_id uuid not null,
  side text not null,
  wallet text not null,
  setup text not null,
  enabled boolean not null,
  trust_source text not null,
  fields jsonb not null default '{}'::jsonb,
  association_file bytea,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint wallet_settings_pkey PRIMARY KEY (merchant_id, side, wallet),
  constraint wallet_b_has_no_platform CHECK (((wallet = 'walletapay'::text) OR (setup = 'own_account'::text))),
  constraint wallet_settings_association_file_check CHECK (((length(association_file) >= 1) AND (length(association_file) <= 65536))),
  constraint wallet_settings_setup_check CHECK ((setup = ANY (ARRAY['platform'::text, 'own_account'::text]))),
  constraint wallet_settings_side_check CHECK ((side = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint wallet_settings_trust_source_check CHECK ((trust_source = ANY (ARRAY['wallet maker'::text, 'sandbox authority'::text]))),
  constraint wallet_settings_wallet_check CHECK ((wallet = ANY (ARRAY['walletapay'::text, 'walletbpay'::text])))
);

create table wallet_token_uses (
  wallet text not null,
  token_hash bytea not null,
  merchant_id uuid not null,
  payment_id uuid not null,
  used_at timestamp with time zone not null,
  constraint wallet_token_uses_pkey PRIMARY KEY (wallet, token_hash),
  constraint wallet_token_uses_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint wallet_token_uses_wallet_check CHECK ((wallet = ANY (ARRAY['walletapay'::text, 'walletbpay'::text])))
);

create table wallet_trust (
  source text not null,
  name text not null,
  content text not null,
  fetched_at timestamp with time zone not null,
  constraint wallet_trust_pkey PRIMARY KEY (source, name),
  constraint wallet_trust_source_check CHECK ((source = ANY (ARRAY['wallet maker'::text, 'sandbox authority'::text])))
);

create table wallet_watches (
  merchant_id uuid not null,
  side text not null,
  wallet text not null,
  check_at timestamp with time zone not null,
  probe_at timestamp with time zone,
  unmatched timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  lease_until timestamp with time zone,
  announced boolean not null default false,
  constraint wallet_watches_pkey PRIMARY KEY (merchant_id, side, wallet),
  constraint wallet_watches_merchant_id_side_wallet_fkey FOREIGN KEY (merchant_id, side, wallet) REFERENCES wallet_settings(merchant_id, side, wallet)
);

-- Indexes

CREATE INDEX account_entries_at ON public.account_entries USING btree (merchant_id, at);
CREATE INDEX acquirer_events_due ON public.acquirer_events USING btree (due_at) WHERE (state = 'due'::text);
CREATE INDEX acquirer_events_failed ON public.acquirer_events USING btree (received_at) WHERE (state = 'failed'::text);
CREATE INDEX acquirer_events_notification ON public.acquirer_events USING btree (mid_id, notification_id);
CREATE INDEX acquirer_events_payment ON public.acquirer_events USING btree (payment_id);
CREATE INDEX acquirer_notifications_newest ON public.acquirer_notifications USING btree (mid_id, received_at DESC);
CREATE INDEX admin_sessions_age ON public.admin_sessions USING btree (expires_at);
CREATE INDEX admin_sessions_user ON public.admin_sessions USING btree (user_id);
CREATE INDEX alert_messages_due ON public.alert_messages USING btree (next_at);
CREATE INDEX alerts_open ON public.alerts USING btree (raised_at) WHERE (resolved_at IS NULL);
CREATE INDEX alerts_unannounced ON public.alerts USING btree (raised_at) WHERE (announced_at IS NULL);
CREATE INDEX approvals_merchant ON public.approvals USING btree (merchant_id, id);
CREATE UNIQUE INDEX approvals_one_waiting ON public.approvals USING btree (kind, subject) WHERE (state = 'waiting'::text);
CREATE INDEX approvals_unannounced ON public.approvals USING btree (asked_at) WHERE ((announced_at IS NULL) AND (state = 'waiting'::text));
CREATE INDEX approvals_waiting ON public.approvals USING btree (asked_at) WHERE (state = 'waiting'::text);
CREATE INDEX audit_log_action ON public.audit_log USING btree (action, seq);
CREATE INDEX audit_log_actor ON public.audit_log USING btree (actor, seq);
CREATE INDEX audit_log_at ON public.audit_log USING btree (at, seq);
CREATE INDEX audit_log_merchant ON public.audit_log USING btree (merchant_id, seq);
CREATE INDEX audit_log_subject ON public.audit_log USING btree (subject, seq);
CREATE UNIQUE INDEX bank_differences_once ON public.bank_differences USING btree (kind, COALESCE((mid_id)::text, ''::text), COALESCE(payout, ''::text), currency, COALESCE(account, ''::text), COALESCE(line_ref, ''::text), COALESCE(announced_minor, (0)::numeric), COALESCE(booked_minor, (0)::numeric));
CREATE INDEX bank_differences_open ON public.bank_differences USING btree (found_at) WHERE (resolved_at IS NULL);
CREATE INDEX bank_differences_payout ON public.bank_differences USING btree (mid_id, payout);
CREATE INDEX bank_lines_mid ON public.bank_lines USING btree (mid_id, payout) WHERE (mid_id IS NOT NULL);
CREATE INDEX bank_lines_open ON public.bank_lines USING btree (booked_on) WHERE ((mid_id IS NULL) AND (item_id IS NULL));
CREATE INDEX book_entries_merchant ON public.book_entries USING btree (merchant_id) WHERE (merchant_id IS NOT NULL);
CREATE INDEX book_entries_mid ON public.book_entries USING btree (mid_id, on_day);
CREATE INDEX callbacks_by_id ON public.callbacks USING btree (merchant_id, id);
CREATE INDEX callbacks_due ON public.callbacks USING btree (next_at) WHERE (state = 'due'::text);
CREATE INDEX callbacks_failed ON public.callbacks USING btree (merchant_id, id) WHERE (state = 'failed'::text);
CREATE INDEX callbacks_feed ON public.callbacks USING btree (merchant_id, written_in, id);
CREATE INDEX card_tokens_by_token ON public.card_tokens USING btree (token);
CREATE UNIQUE INDEX card_tokens_card ON public.card_tokens USING btree (merchant_id, card_id, test);
CREATE UNIQUE INDEX chains_first_payment ON public.chains USING btree (merchant_id, first_payment);
CREATE INDEX deferred_commands_due ON public.deferred_commands USING btree (due_at);
CREATE INDEX dispute_answers_due ON public.dispute_answers USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE UNIQUE INDEX dispute_answers_open ON public.dispute_answers USING btree (merchant_id, dispute_id) WHERE (state = ANY (ARRAY['waiting'::text, 'sending'::text, 'unknown'::text]));
CREATE INDEX disputes_due ON public.disputes USING btree (due_on) WHERE ((due_on IS NOT NULL) AND (answer IS NULL) AND (stage <> ALL (ARRAY['won'::text, 'lost'::text])));
CREATE INDEX disputes_lost_and_returned ON public.disputes USING btree (merchant_id) WHERE ((stage = 'lost'::text) AND (returned_at IS NOT NULL));
CREATE INDEX disputes_mid ON public.disputes USING btree (mid_id, opened_at);
CREATE INDEX disputes_newest ON public.disputes USING btree (id DESC);
CREATE INDEX disputes_payment ON public.disputes USING btree (merchant_id, payment_id);
CREATE INDEX export_file_parts_age ON public.export_file_parts USING btree (written_at);
CREATE INDEX export_runs_age ON public.export_runs USING btree (created_at);
CREATE INDEX export_runs_due ON public.export_runs USING btree (next_at) WHERE (state = 'waiting'::text);
CREATE INDEX export_schedules_due ON public.export_schedules USING btree (next_at) WHERE (paused_at IS NULL);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX ledger_entries_at ON public.ledger_entries USING btree (merchant_id, at);
CREATE INDEX ledger_entries_reserve ON public.ledger_entries USING btree (merchant_id, at) WHERE (to_account = 'reserve'::text);
CREATE INDEX mails_due ON public.mails USING btree (next_at);
CREATE INDEX merchant_brandings_logo ON public.merchant_brandings USING btree (logo_hash) WHERE (logo_hash IS NOT NULL);
CREATE UNIQUE INDEX merchant_mappings_once ON public.merchant_mappings USING btree (merchant_id, mid_id, COALESCE(channel, ''::text));
CREATE INDEX open_cascades_due ON public.open_cascades USING btree (due_at);
CREATE INDEX open_cascades_sender ON public.open_cascades USING btree (sent_by);
CREATE INDEX page_attempts_newest ON public.page_attempts USING btree (newest);
CREATE INDEX passkey_challenges_age ON public.passkey_challenges USING btree (expires_at);
CREATE INDEX passkey_challenges_network ON public.passkey_challenges USING btree (network, expires_at);
CREATE INDEX payer_steps_due ON public.payer_steps USING btree (expires_at) WHERE (state = 'waiting'::text);
CREATE INDEX payer_steps_payment ON public.payer_steps USING btree (payment_id);
CREATE INDEX payment_link_sessions_link ON public.payment_link_sessions USING btree (link_id, opened_at DESC);
CREATE INDEX payment_links_merchant ON public.payment_links USING btree (merchant_id, id DESC);
CREATE INDEX payment_summary_open_due ON public.payment_summary_open USING btree (check_at);
CREATE INDEX payment_tags_tag ON public.payment_tags USING btree (tag, payment_id);
CREATE INDEX payments_by_3ds_acs ON public.payments USING btree ((((facts -> 'threeDs'::text) ->> 'acsTransID'::text)), id DESC) WHERE (facts ? 'threeDs'::text);
CREATE INDEX payments_by_3ds_ds ON public.payments USING btree ((((facts -> 'threeDs'::text) ->> 'dsTransID'::text)), id DESC) WHERE (facts ? 'threeDs'::text);
CREATE INDEX payments_by_3ds_flow ON public.payments USING btree (merchant_id, (((facts -> 'threeDs'::text) ->> 'authenticationFlow'::text)), id DESC) WHERE (facts ? 'threeDs'::text);
CREATE INDEX payments_by_3ds_server ON public.payments USING btree ((((facts -> 'threeDs'::text) ->> 'threeDSServerTransID'::text)), id DESC) WHERE (facts ? 'threeDs'::text);
CREATE INDEX payments_by_3ds_status ON public.payments USING btree (merchant_id, (((facts -> 'threeDs'::text) ->> 'transStatus'::text)), id DESC) WHERE (facts ? 'threeDs'::text);
CREATE INDEX payments_by_3ds_xid ON public.payments USING btree ((((facts -> 'threeDs'::text) ->> 'xid'::text)), id DESC) WHERE (facts ? 'threeDs'::text);
CREATE INDEX payments_by_amount ON public.payments USING btree (merchant_id, amount_minor, id DESC);
CREATE INDEX payments_by_brand ON public.payments USING btree (merchant_id, (((facts -> 'brand'::text) ->> 'code'::text)), id DESC) WHERE (facts ? 'brand'::text);
CREATE INDEX payments_by_consent ON public.payments USING btree (merchant_id, id DESC) WHERE (facts ? 'consent'::text);
CREATE INDEX payments_by_currency ON public.payments USING btree (merchant_id, currency, id DESC);
CREATE INDEX payments_by_email ON public.payments USING btree (lower(payer_email), id DESC) WHERE (payer_email IS NOT NULL);
CREATE INDEX payments_by_initiator ON public.payments USING btree (merchant_id, (((facts -> 'storedCredential'::text) ->> 'initiator'::text)), id DESC) WHERE (facts ? 'storedCredential'::text);
CREATE INDEX payments_by_last_four ON public.payments USING btree (merchant_id, "right"(card_mask, 4), id DESC) WHERE (card_mask IS NOT NULL);
CREATE INDEX payments_by_last_name ON public.payments USING btree (lower((payer ->> 'last_name'::text)) text_pattern_ops) WHERE (payer ? 'last_name'::text);
CREATE INDEX payments_by_merchant_status ON public.payments USING btree (merchant_id, status, id DESC);
CREATE INDEX payments_by_mid ON public.payments USING btree (merchant_id, mid_id, id DESC);
CREATE INDEX payments_by_order ON public.payments USING btree (lower(order_id) text_pattern_ops, merchant_id);
CREATE INDEX payments_by_pan_type ON public.payments USING btree (merchant_id, (((facts -> 'wallet'::text) ->> 'panType'::text)), id DESC) WHERE (facts ? 'wallet'::text);
CREATE INDEX payments_by_payer_ip ON public.payments USING brin (payer_ip text_bloom_ops (n_distinct_per_range='160', false_positive_rate='0.0002')) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX payments_by_sequence ON public.payments USING btree (merchant_id, (((facts -> 'storedCredential'::text) ->> 'sequence'::text)), id DESC) WHERE (facts ? 'storedCredential'::text);
CREATE INDEX payments_by_side ON public.payments USING btree (merchant_id, test, id DESC);
CREATE INDEX payments_by_source ON public.payments USING btree (merchant_id, (((facts -> 'storedCredential'::text) ->> 'source'::text)), id DESC) WHERE (facts ? 'storedCredential'::text);
CREATE INDEX payments_by_traits ON public.payments USING brin ("left"(card_mask, 6) text_bloom_ops (n_distinct_per_range='128', false_positive_rate='0.001'), (((facts -> 'issuer'::text) ->> 'country'::text)) text_bloom_ops (n_distinct_per_range='48', false_positive_rate='0.001'), COALESCE((payer ->> 'country'::text), ((facts -> 'issuer'::text) ->> 'country'::text)) text_bloom_ops (n_distinct_per_range='48', false_positive_rate='0.001'), ((facts ->> 'network'::text)) text_bloom_ops (n_distinct_per_range='16', false_positive_rate='0.001'), decline_reason text_bloom_ops (n_distinct_per_range='48', false_positive_rate='0.001')) WITH (pages_per_range='64', autosummarize='on');
CREATE INDEX payments_by_wallet ON public.payments USING btree (merchant_id, (((facts -> 'wallet'::text) ->> 'name'::text)), id DESC) WHERE (facts ? 'wallet'::text);
CREATE INDEX payments_cascade ON public.payments USING btree (merchant_id, cascade_id) WHERE (cascade_id IS NOT NULL);
CREATE INDEX payments_chain ON public.payments USING btree (merchant_id, chain_id) WHERE (chain_id IS NOT NULL);
CREATE INDEX payments_in_review ON public.payments USING btree (id) WHERE ((status = 'PENDING'::text) AND (routing ? 'review'::text));
CREATE INDEX payments_issued_token ON public.payments USING btree (merchant_id, ((facts ->> 'issuedToken'::text))) WHERE (facts ? 'issuedToken'::text);
CREATE INDEX payments_late ON public.payments USING btree (created_at, id) WHERE (session_id IS NOT NULL);
CREATE INDEX payments_mid_day ON public.payments USING btree (mid_id, financial_day) WHERE (financial_day IS NOT NULL);
CREATE INDEX payments_newest ON public.payments USING btree (id DESC);
CREATE INDEX payments_order ON public.payments USING btree (merchant_id, order_id, id DESC);
CREATE INDEX payments_payee_card ON public.payments USING btree (merchant_id, ((facts ->> 'payeeCardId'::text))) WHERE (facts ? 'payeeCardId'::text);
CREATE INDEX payments_recurring_card ON public.payments USING btree (merchant_id, card_id) WHERE recurring;
CREATE INDEX payments_session ON public.payments USING btree (merchant_id, session_id, id DESC) WHERE (session_id IS NOT NULL);
CREATE INDEX payments_wallet ON public.payments USING btree (merchant_id, id DESC) WHERE (facts ? 'wallet'::text);
CREATE INDEX payout_items_run ON public.payout_items USING btree (run_id);
CREATE UNIQUE INDEX payout_items_statement ON public.payout_items USING btree (merchant_id, statement_id) WHERE (state <> 'cancelled'::text);
CREATE UNIQUE INDEX payout_items_waiting ON public.payout_items USING btree (merchant_id, currency) WHERE (state = 'waiting'::text);
CREATE INDEX policy_reports_by_time ON public.policy_reports USING btree (last_at);
CREATE UNIQUE INDEX price_lists_from ON public.price_lists USING btree (merchant_id, valid_from);
CREATE INDEX refused_requests_age ON public.refused_requests USING btree (at);
CREATE INDEX refused_requests_request ON public.refused_requests USING btree (request_id);
CREATE INDEX refused_wallet_tokens_at ON public.refused_wallet_tokens USING btree (at);
CREATE INDEX refused_wallet_tokens_order ON public.refused_wallet_tokens USING btree (merchant_id, order_id, at DESC);
CREATE INDEX refused_wallet_tokens_request ON public.refused_wallet_tokens USING btree (request_id);
CREATE INDEX risk_entries_network ON public.risk_entries USING gist (network inet_ops) WHERE (network IS NOT NULL);
CREATE INDEX risk_entries_page ON public.risk_entries USING btree (id DESC);
CREATE UNIQUE INDEX risk_entries_value ON public.risk_entries USING btree (kind, value, list, merchant_id) NULLS NOT DISTINCT;
CREATE INDEX risk_velocity_last ON public.risk_velocity USING btree (last_at);
CREATE UNIQUE INDEX saved_filters_name ON public.saved_filters USING btree (user_id, page, name);
CREATE UNIQUE INDEX sdk_forms_approved ON public.sdk_forms USING btree (merchant_id, form_id) WHERE (state = 'approved'::text);
CREATE INDEX service_keys_user ON public.service_keys USING btree (user_id);
CREATE INDEX session_codes_age ON public.session_codes USING btree (expires_at);
CREATE UNIQUE INDEX session_keys_current ON public.session_keys USING btree ((true)) WHERE (retired_at IS NULL);
CREATE INDEX sessions_by_email ON public.sessions USING btree (merchant_id, lower(((request -> 'customer'::text) ->> 'email'::text))) WHERE ((request -> 'customer'::text) ? 'email'::text);
CREATE INDEX sessions_by_id ON public.sessions USING btree (id);
CREATE INDEX sessions_with_card ON public.sessions USING btree (expires_at) WHERE (fields_sealed IS NOT NULL);
CREATE INDEX settlement_differences_day ON public.settlement_differences USING btree (mid_id, day);
CREATE INDEX settlement_differences_file ON public.settlement_differences USING btree (file_id) WHERE (resolved_at IS NULL);
CREATE UNIQUE INDEX settlement_differences_once ON public.settlement_differences USING btree (mid_id, kind, COALESCE((transaction_id)::text, ''::text), COALESCE(ref, ''::text));
CREATE INDEX settlement_differences_open ON public.settlement_differences USING btree (found_at) WHERE (resolved_at IS NULL);
CREATE INDEX settlement_payouts_payout ON public.settlement_payouts USING btree (payout);
CREATE INDEX settlement_rows_booked ON public.settlement_rows USING btree (mid_id, booked_on);
CREATE INDEX settlement_rows_file ON public.settlement_rows USING btree (file_id, line);
CREATE INDEX settlement_rows_payout ON public.settlement_rows USING btree (payout) WHERE (payout IS NOT NULL);
CREATE INDEX settlement_rows_transaction ON public.settlement_rows USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE INDEX sign_in_failures_age ON public.sign_in_failures USING btree (last_at);
CREATE INDEX sign_in_failures_unnoted ON public.sign_in_failures USING btree (noted_at) WHERE (unnoted > 0);
CREATE INDEX sign_ups_expiry ON public.sign_ups USING btree (expires_at);
CREATE UNIQUE INDEX statements_first_day ON public.statements USING btree (merchant_id, currency, first_day);
CREATE INDEX subscriptions_due ON public.subscriptions USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE UNIQUE INDEX subscriptions_one_running ON public.subscriptions USING btree (merchant_id, chain_id) WHERE (state = 'running'::text);
CREATE INDEX subscriptions_schedule ON public.subscriptions USING btree (merchant_id, schedule_id) WHERE (state = 'running'::text);
CREATE INDEX trace_numbers_age ON public.trace_numbers USING btree (reserved_at);
CREATE INDEX transaction_watches_due ON public.transaction_watches USING btree (next_at);
CREATE INDEX transactions_ask ON public.transactions USING btree (ask_at) WHERE (ask_at IS NOT NULL);
CREATE UNIQUE INDEX transactions_one_open ON public.transactions USING btree (merchant_id, payment_id) WHERE ((state = ANY (ARRAY['sent'::text, 'waiting'::text, 'undefined'::text])) AND (type <> ALL (ARRAY['3DS'::text, 'REDIRECT'::text])));
CREATE INDEX transactions_references ON public.transactions USING gin (array_remove(ARRAY[reference, (facts ->> 'arn'::text), (facts ->> 'rrn'::text), (facts ->> 'approvalCode'::text), (facts ->> 'gatewayId'::text), (facts ->> 'extraGatewayId'::text)], NULL::text)) WHERE (reference IS NOT NULL);
CREATE INDEX transactions_sent ON public.transactions USING btree (sent_by) WHERE (state = 'sent'::text);
CREATE INDEX user_merchants_user ON public.user_merchants USING btree (user_id);
CREATE INDEX wallet_domains_due ON public.wallet_domains USING btree (next_check) WHERE (next_check IS NOT NULL);
CREATE UNIQUE INDEX wallet_domains_file ON public.wallet_domains USING btree (domain) WHERE ((file IS NOT NULL) AND (state <> 'removed'::text));
CREATE INDEX wallet_domains_host ON public.wallet_domains USING btree (domain) WHERE (state <> 'removed'::text);
CREATE UNIQUE INDEX wallet_keys_current ON public.wallet_keys USING btree (merchant_id, side, wallet, role) WHERE (state = 'current'::text);
CREATE UNIQUE INDEX wallet_keys_once ON public.wallet_keys USING btree (merchant_id, side, wallet, fingerprint) WHERE (state <> 'retired'::text);
CREATE INDEX wallet_notices_open ON public.wallet_notices USING btree (last_at) WHERE (resolved_at IS NULL);
CREATE INDEX wallet_watches_check ON public.wallet_watches USING btree (check_at);
CREATE INDEX wallet_watches_probe ON public.wallet_watches USING btree (probe_at) WHERE (probe_at IS NOT NULL);

-- Triggers

CREATE TRIGGER account_entries_append_only BEFORE DELETE OR UPDATE ON public.account_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_never_emptied BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER brands_notify AFTER INSERT OR DELETE OR UPDATE ON public.brands FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER instance_notify AFTER UPDATE ON public.instance FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER merchant_mappings_notify AFTER INSERT OR DELETE OR UPDATE ON public.merchant_mappings FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER merchants_notify AFTER INSERT OR DELETE OR UPDATE ON public.merchants FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER mids_notify AFTER INSERT OR DELETE OR UPDATE ON public.mids FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER payments_claim AFTER INSERT ON public.payments FOR EACH ROW WHEN ((new.alone_in_order OR (new.session_id IS NOT NULL) OR (new.plan_date IS NOT NULL))) EXECUTE FUNCTION claim_payment();
CREATE TRIGGER payments_claim_again AFTER UPDATE OF status, alone_in_order ON public.payments FOR EACH ROW WHEN (((((new.status = 'DECLINED'::text) <> (old.status = 'DECLINED'::text)) AND (new.alone_in_order OR old.alone_in_order OR (new.session_id IS NOT NULL))) OR (new.alone_in_order <> old.alone_in_order))) EXECUTE FUNCTION claim_payment();
CREATE TRIGGER price_lists_notify AFTER INSERT OR DELETE OR UPDATE ON public.price_lists FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER protocol_mappings_notify AFTER INSERT OR DELETE OR UPDATE ON public.protocol_mappings FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER routing_sets_notify AFTER INSERT OR DELETE OR UPDATE ON public.routing_sets FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER settlement_rows_sum_up AFTER INSERT ON public.settlement_rows REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sum_up_payouts();
CREATE TRIGGER statements_append_only BEFORE DELETE OR UPDATE ON public.statements FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transactions_claim AFTER INSERT ON public.transactions FOR EACH ROW WHEN ((new.idempotency_use IS NOT NULL)) EXECUTE FUNCTION claim_key_use();
CREATE TRIGGER wallet_countries_notify AFTER INSERT OR DELETE OR UPDATE ON public.wallet_countries FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER wallet_history_append_only BEFORE DELETE OR UPDATE ON public.wallet_history FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER wallet_keys_notify AFTER INSERT OR DELETE OR UPDATE ON public.wallet_keys FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER wallet_settings_notify AFTER INSERT OR DELETE OR UPDATE ON public.wallet_settings FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
CREATE TRIGGER wallet_trust_notify AFTER INSERT OR DELETE OR UPDATE ON public.wallet_trust FOR EACH STATEMENT EXECUTE FUNCTION notify_configuration();
