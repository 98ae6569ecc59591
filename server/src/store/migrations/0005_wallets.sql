-- Device wallets on the merchant's account: settings, keys in rotation, domains, what was changed, what was refused, and what the
-- tokens are believed by. Chapter 40 §3 to §8, §14, §15.
--
-- The operator's own record, through which platform merchants are served, has the nil UUID in place of a merchant: it is the scope
-- under which the vault seals what belongs to no merchant. It stands on the live side and serves both.
--
-- Safe while the previous release still runs: it reads and writes none of these tables, and the new column of instance may be null.

-- Written at the first start and compared at every other: payments of a sandbox and of a live instance do not meet (§14).
alter table instance add column mode text check (mode in ('sandbox', 'live'));
update instance set mode = 'sandbox' where seeded_at is not null;

create table wallet_settings (
  merchant_id      uuid not null,
  side             text not null check (side in ('live', 'test')),
  wallet           text not null check (wallet in ('walletapay', 'walletbpay')),
  setup            text not null check (setup in ('platform', 'own_account')),
  enabled          boolean not null,
  trust_source     text not null check (trust_source in ('wallet maker', 'sandbox authority')),
  -- What the Wallets tab shows beside keys: identifier, country, shop name, capabilities, networks …
  fields           jsonb not null default '{}',
  -- The operator's record only: the file of the service's own hosts and of platform merchants.
  association_file bytea check (length(association_file) between 1 and 65536),
  -- Raised by every change: of two people who edit at once the second is told.
  version          int not null default 1,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  primary key (merchant_id, side, wallet),
  constraint wallet_b_has_no_platform check (wallet = 'walletapay' or setup = 'own_account')
);

create table wallet_keys (
  merchant_id       uuid not null,
  id                uuid not null,
  side              text not null,
  wallet            text not null,
  role              text not null check (role in ('processing', 'identity')),
  state             text not null check (state in ('next', 'current', 'retiring', 'retired')),
  type              text not null check (type in ('EC', 'RSA')),
  -- PKCS#8. Destroyed when the key is retired; the rest stays as evidence of what once decrypted.
  private_sealed    bytea,
  spki              bytea not null,
  -- SHA-256 of the SPKI: hexadecimal as it is shown, base64 as tokens name it.
  fingerprint       text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
  public_key_hash   text not null,
  -- Made here: the request that the maker's portal takes.
  request           text,
  certificate       text,
  certificate_until timestamptz,
  -- When a retiring key stops.
  until             timestamptz,
  added_at          timestamptz not null,
  promoted_at       timestamptz,
  retired_at        timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, side, wallet) references wallet_settings,
  constraint private_part_while_active check ((state = 'retired') = (private_sealed is null)),
  constraint retiring_ends check ((state = 'retiring') = (until is not null)),
  constraint certificate_with_expiry check ((certificate is null) = (certificate_until is null))
);
create unique index wallet_keys_current on wallet_keys (merchant_id, side, wallet, role) where state = 'current';
create unique index wallet_keys_once on wallet_keys (merchant_id, side, wallet, fingerprint) where state <> 'retired';

-- When a record is looked at next, apart from it because a look changes no configuration.
create table wallet_watches (
  merchant_id uuid not null,
  side        text not null,
  wallet      text not null,
  check_at    timestamptz not null,
  probe_at    timestamptz,
  -- Genuine tokens of the last hour that named no active key (§6, key match).
  unmatched   timestamptz[] not null default '{}',
  lease_until timestamptz,
  primary key (merchant_id, side, wallet),
  foreign key (merchant_id, side, wallet) references wallet_settings
);
create index wallet_watches_check on wallet_watches (check_at);
create index wallet_watches_probe on wallet_watches (probe_at) where probe_at is not null;

create table wallet_domains (
  merchant_id       uuid not null,
  wallet            text not null check (wallet in ('walletapay', 'walletbpay')),
  domain            text not null check (length(domain) between 1 and 253),
  purpose           text not null check (purpose in ('production', 'test')),
  controlled_by     text not null check (controlled_by in ('operator', 'merchant')),
  state             text not null check (state in ('new', 'file ready', 'verified', 'failing', 'suspended', 'removed')),
  file              bytea check (length(file) between 1 and 65536),
  file_sha256       text,
  last_check        timestamptz,
  last_fault        text,
  verified_since    timestamptz,
  -- The last check that found the file.
  succeeded_at      timestamptz,
  verified_at_maker timestamptz,
  added_at          timestamptz not null,
  next_check        timestamptz,
  lease_until       timestamptz,
  primary key (merchant_id, wallet, domain),
  constraint file_with_digest check ((file is null) = (file_sha256 is null))
);
-- A host has one file, hence one owner of it.
create unique index wallet_domains_file on wallet_domains (domain) where file is not null and state <> 'removed';
create index wallet_domains_host on wallet_domains (domain) where state <> 'removed';
create index wallet_domains_due on wallet_domains (next_check) where next_check is not null;

create table wallet_history (
  merchant_id uuid not null,
  id          uuid not null,
  side        text,
  wallet      text not null,
  at          timestamptz not null,
  by_user     text not null,
  what        text not null,
  details     jsonb not null default '{}',
  primary key (merchant_id, id)
);
create trigger wallet_history_append_only before update or delete on wallet_history
  for each row execute function refuse_change();

-- Alarms that stand: repeated daily until what they tell of is over, or somebody muted them and said why (§6).
create table wallet_notices (
  merchant_id  uuid not null,
  side         text not null,
  wallet       text not null,
  kind         text not null,
  -- What it is about among its kind: a key and a stage, a domain.
  subject      text not null,
  text         text not null,
  first_at     timestamptz not null,
  last_at      timestamptz not null,
  times        int not null default 1,
  muted_reason text,
  resolved_at  timestamptz,
  primary key (merchant_id, side, wallet, kind, subject)
);
create index wallet_notices_open on wallet_notices (last_at) where resolved_at is null;

-- The last good answer of every source of trust that is asked over the network.
create table wallet_trust (
  source     text not null check (source in ('wallet maker', 'sandbox authority')),
  name       text not null,
  content    text not null,
  fetched_at timestamptz not null,
  primary key (source, name)
);

-- The makers' lists of countries where the operator changed them.
create table wallet_countries (
  wallet    text primary key check (wallet in ('walletapay', 'walletbpay')),
  countries text[] not null
);

-- "Refused wallet tokens": which check refused, kept for 90 days. No token, number or key is in a record (§15).
create table refused_wallet_tokens (
  merchant_id uuid not null,
  id          uuid not null,
  request_id  text not null,
  side        text not null check (side in ('live', 'test')),
  order_id    text,
  protocol    text not null,
  at          timestamptz not null,
  record      jsonb not null,
  primary key (merchant_id, id)
);
create index refused_wallet_tokens_request on refused_wallet_tokens (request_id);
create index refused_wallet_tokens_order on refused_wallet_tokens (merchant_id, order_id, at desc);
create index refused_wallet_tokens_at on refused_wallet_tokens (at);

create trigger wallet_settings_notify after insert or update or delete on wallet_settings
  for each statement execute function notify_configuration();
create trigger wallet_keys_notify after insert or update or delete on wallet_keys
  for each statement execute function notify_configuration();
create trigger wallet_trust_notify after insert or update or delete on wallet_trust
  for each statement execute function notify_configuration();
