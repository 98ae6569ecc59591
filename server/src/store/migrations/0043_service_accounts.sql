-- Service accounts: users that sign in with a key instead of a password, for programs that call the admin API. An account may have several
-- keys, so that a new one can be in place before the old one ends. Only the hash of a key is stored.
--
-- Safe while the previous release serves: it knows no key, and a service account has no password with which it could sign in there.
alter table users add column is_service boolean not null default false;

create table service_keys (
  id           uuid        primary key,
  user_id      uuid        not null references users,
  key_hash     bytea       not null unique check (length(key_hash) = 32),
  created_at   timestamptz not null,
  created_by   text        not null,
  expires_at   timestamptz not null,
  last_used_at timestamptz
);

create index service_keys_user on service_keys (user_id);
