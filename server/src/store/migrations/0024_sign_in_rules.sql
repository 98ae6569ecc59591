-- Signing in at the panel by PCI DSS 4.0.1, requirement 8: former passwords, first passwords that are used once, second factors that are
-- required, fresh proofs inside a session, and accounts that end because they are not used.
--
-- Safe while the previous release still runs: it reads its own columns, and the new ones are nullable or have a constant default.
alter table users
  -- A secret of an authenticator that was shown and not yet proven; the one in force stays until then.
  add column totp_next bytea,
  add column require_second_factor boolean not null default false,
  add column disabled_reason text check (disabled_reason in ('unused')),
  -- When the account was last made active again: from then on it counts as unused.
  add column enabled_at timestamptz,
  -- When a first password was used: it opens one session.
  add column temporary_used_at timestamptz;

-- Hashes of passwords that were replaced, so that they do not come back (8.3.7).
create table password_history (
  user_id     uuid not null references users on delete cascade,
  hash        text not null,
  replaced_at timestamptz not null,
  primary key (user_id, hash)
);

-- When and how the person of a session last proved who it is. Null in sessions of the previous release: not fresh.
alter table admin_sessions
  add column proven_at timestamptz,
  add column proven_by text check (proven_by in ('password', 'totp', 'passkey'));

-- Who asked for a challenge, so that open ones can be counted.
alter table passkey_challenges add column network text;
create index passkey_challenges_network on passkey_challenges (network, expires_at);
