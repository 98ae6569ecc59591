-- Exports that are written and sent by a schedule (chapter 70 §5): the schedules, a run for each period, and the files of runs in parts.
--
-- Safe while the previous release serves: it knows none of the tables.
create table export_schedules (
  id            uuid        primary key,
  user_id       uuid        not null references users,
  name          text        not null check (length(name) between 1 and 100),
  kind          text        not null check (kind in ('payments', 'transactions')),
  filter        jsonb       not null,
  merchants     uuid[],
  columns       text[]      not null,
  period        text        not null check (period in ('day', 'week', 'month')),
  time_zone     text        not null,
  minute_of_day smallint    not null check (minute_of_day between 0 and 1439),
  target_kind   text        not null check (target_kind in ('mail', 'https')),
  addresses     text[]      not null,
  url_sealed    bytea,
  secret_sealed bytea,
  shown_target  text        not null,
  paused_at     timestamptz,
  pause_reason  text,
  next_day      date        not null,
  next_at       timestamptz not null,
  created_at    timestamptz not null,
  unique (user_id, name),
  check ((target_kind = 'mail') = (cardinality(addresses) > 0)),
  check ((target_kind = 'https') = (url_sealed is not null and secret_sealed is not null))
);
create index export_schedules_due on export_schedules (next_at) where paused_at is null;

create table export_runs (
  id          uuid        primary key,
  schedule_id uuid        not null references export_schedules on delete cascade,
  period      text        not null,
  repetition  smallint    not null,
  period_from timestamptz not null,
  period_to   timestamptz not null,
  state       text        not null check (state in ('waiting', 'sent', 'failed', 'refused')),
  asked_by    text,
  delivered   text[]      not null default '{}',
  attempts    smallint    not null default 0,
  next_at     timestamptz not null,
  file_id     uuid,
  row_count   bigint,
  byte_count  bigint,
  merchants   uuid[],
  fault       text,
  created_at  timestamptz not null,
  ended_at    timestamptz,
  lease_until timestamptz,
  leased_by   integer,
  unique (schedule_id, period, repetition)
);
create index export_runs_due on export_runs (next_at) where state = 'waiting';
create index export_runs_age on export_runs (created_at);

create table export_file_parts (
  file_id    uuid        not null,
  part       integer     not null,
  content    bytea       not null,
  written_at timestamptz not null,
  primary key (file_id, part)
);
create index export_file_parts_age on export_file_parts (written_at);
