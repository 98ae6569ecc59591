-- Risk lists and velocity (chapter 70 §7): entries that rules refer to, and the recent payments of one card, address or device.
--
-- Safe while the previous release still runs: it knows neither table, and refuses to load no rule, because it never reads the new conditions
-- until somebody publishes one. Publish rules with them when the last process of the previous release has stopped.

-- `merchant_id` null names payments of every merchant.
create table risk_entries (
  id          uuid        primary key,
  merchant_id uuid        references merchants,
  list        text        not null check (list in ('block', 'allow', 'review')),
  kind        text        not null,
  value       text        not null check (length(value) between 1 and 255),
  -- Set for addresses and ranges, which are compared as such.
  network     inet,
  reason      text        not null check (length(reason) between 1 and 500),
  expires_at  timestamptz,
  created_at  timestamptz not null,
  created_by  text        not null,
  constraint risk_entries_network check ((kind = 'ip') = (network is not null))
);
create unique index risk_entries_value on risk_entries (kind, value, list, merchant_id) nulls not distinct;
create index risk_entries_network on risk_entries using gist (network inet_ops) where network is not null;
create index risk_entries_page on risk_entries (id desc);

-- The recent payments of one subject, counted when their rules are evaluated. `subject` is a keyed fingerprint, so that no card and no address
-- can be read here. `counts` is empty for payments of every currency, otherwise the currency whose amounts are added up.
create table risk_velocity (
  scope   uuid          not null,
  subject text          not null,
  counts  text          not null,
  times   timestamptz[] not null,
  amounts numeric[]     not null,
  last_at timestamptz   not null,
  primary key (scope, subject, counts)
);
create index risk_velocity_last on risk_velocity (last_at);
