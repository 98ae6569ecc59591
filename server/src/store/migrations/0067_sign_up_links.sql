-- Sign-up links (chapter 70 §9): an address with which people of merchants make their own accounts, and the sign-ups that wait for a confirmed
-- mail address or for an approval. Codes are only in the address and in the mail; here are their hashes.
--
-- Safe while the previous release serves: it does not know these tables.
create table sign_up_links (
  id             uuid        primary key,
  code_hash      bytea       not null unique,
  role           text        not null,
  merchant_ids   uuid[]      not null check (cardinality(merchant_ids) > 0),
  -- Empty: an address of any domain.
  domains        text[]      not null,
  needs_approval boolean     not null,
  note           text        not null,
  uses           integer     not null check (uses > 0),
  used           integer     not null default 0,
  created_by     text        not null,
  creator_id     uuid        references users (id) on delete set null,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  revoked_at     timestamptz,
  constraint used_at_most_allowed check (used between 0 and uses)
);

create table sign_ups (
  id            uuid        primary key,
  link_id       uuid        not null references sign_up_links (id) on delete cascade,
  code_hash     bytea       not null unique,
  email         text        not null,
  name          text        not null,
  password_hash text        not null,
  created_at    timestamptz not null,
  -- Of the mail; once it is confirmed, of the wait for an approval.
  expires_at    timestamptz not null,
  confirmed_at  timestamptz,
  unique (link_id, email)
);
create index sign_ups_expiry on sign_ups (expires_at);
