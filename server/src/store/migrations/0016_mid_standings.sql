-- What MIDs answered lately, and their circuit breakers (chapter 50 §4). Every process adds what it heard and reads what all heard.
--
-- Safe while the previous release still runs: it neither reads nor writes these tables, and its payments simply do not count.

-- Final answers to first steps. An unknown network or country is empty: a key has no nulls.
create table mid_answers (
  minute   timestamptz not null,
  mid_id   uuid not null references mids,
  network  text not null,
  country  text not null,
  currency text not null,
  approved integer not null check (approved >= 0),
  declined integer not null check (declined >= 0),
  primary key (minute, mid_id, network, country, currency)
);

-- Exchanges with acquirers: those that were answered, whatever was said, and those that failed technically.
create table mid_exchanges (
  slot     timestamptz not null,
  mid_id   uuid not null references mids,
  answered integer not null check (answered >= 0),
  failed   integer not null check (failed >= 0),
  primary key (slot, mid_id)
);

create table mid_breakers (
  mid_id  uuid primary key references mids,
  state   text not null check (state in ('closed', 'open')),
  since   timestamptz not null,
  -- Probes in a row that went well.
  probes  integer not null check (probes >= 0),
  -- What an operator decided; null leaves it to the breaker.
  hand    text check (hand in ('open', 'closed')),
  version bigint not null
);
