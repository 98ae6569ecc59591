-- Routing rules (chapter 50 §4): what is published of each set, version by version, and the draft that may become the next one.
--
-- Safe while the previous release still runs: it knows no rules and goes on by priority and weight.

-- Never changed and never deleted: a payment names the version that routed it, and a roll-back publishes an old one anew.
create table routing_sets (
  id           uuid primary key,
  -- Null: the set of all merchants.
  merchant_id  uuid references merchants,
  version      int not null check (version > 0),
  rules        jsonb not null,
  note         text not null,
  -- The version whose rules a roll-back brought back.
  restores     int check (restores > 0 and restores < version),
  drafted_by   text not null,
  published_by text not null,
  published_at timestamptz not null,
  constraint routing_sets_versions unique nulls not distinct (merchant_id, version)
);

create table routing_drafts (
  id          uuid primary key,
  merchant_id uuid references merchants,
  -- Counts the saves, so that nobody writes over what somebody else saved meanwhile, and an approval names what was looked at.
  revision    int not null check (revision > 0),
  rules       jsonb not null,
  note        text not null,
  changed_by  text not null,
  changed_at  timestamptz not null,
  constraint routing_drafts_one_each unique nulls not distinct (merchant_id)
);

create trigger routing_sets_notify after insert or delete or update on routing_sets
  for each statement execute function notify_configuration();
