-- Where alerts are sent: channels, and the messages that wait to be sent to them. An alert is announced once; a message is deleted when it was
-- sent or given up. Requests that wait for approval are announced by mail, once as well.
--
-- Safe while the previous release serves: it knows neither the tables nor the columns, and what it writes is announced by this release. What
-- exists already is not announced.
create table alert_channels (
  id             uuid        primary key,
  name           text        not null unique,
  kind           text        not null check (kind in ('mail', 'webhook', 'chat')),
  target_sealed  bytea       not null,
  shown_target   text        not null,
  secret_sealed  bytea       check ((secret_sealed is null) = (kind <> 'webhook')),
  kinds          text[]      not null,
  least_severity text        not null check (least_severity in ('notice', 'warning', 'critical')),
  quiet_from     smallint    check (quiet_from between 0 and 1439),
  quiet_until    smallint    check (quiet_until between 0 and 1439),
  time_zone      text        not null,
  digest_minutes integer     not null check (digest_minutes between 0 and 1440),
  is_enabled     boolean     not null,
  created_at     timestamptz not null,
  last_sent_at   timestamptz,
  last_fault     text,
  last_fault_at  timestamptz,
  lease_until    timestamptz,
  leased_by      integer,
  check ((quiet_from is null) = (quiet_until is null))
);

create table alert_messages (
  channel_id uuid        not null references alert_channels on delete cascade,
  alert_id   uuid        not null,
  next_at    timestamptz not null,
  attempts   smallint    not null default 0,
  primary key (channel_id, alert_id)
);
create index alert_messages_due on alert_messages (next_at);

alter table alerts add column announced_at timestamptz;
update alerts set announced_at = raised_at;
create index alerts_unannounced on alerts (raised_at) where announced_at is null;

alter table approvals add column announced_at timestamptz;
update approvals set announced_at = asked_at;
create index approvals_unannounced on approvals (asked_at) where announced_at is null and state = 'waiting';
