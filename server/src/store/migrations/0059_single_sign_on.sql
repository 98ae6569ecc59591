-- Single sign-on by OpenID Connect (chapter 70 §9): users of an identity provider, and sign-ins that are on their way there.
--
-- Safe while the previous release serves: it writes none of the new values. It shows users of the provider as users with a password that
-- has never been told to a person.
--
-- oldest program: 0020
alter table users add column sso_subject text unique;

create table sso_attempts (
  state_hash bytea primary key,
  nonce text not null,
  verifier text not null,
  next_path text not null,
  is_fresh boolean not null,
  expires_at timestamptz not null
);

alter table admin_sessions drop constraint admin_sessions_method_check;
alter table admin_sessions add constraint admin_sessions_method_check
  check (method in ('password', 'password+totp', 'password+recovery', 'passkey', 'sso'));
alter table admin_sessions drop constraint admin_sessions_proven_by_check;
alter table admin_sessions add constraint admin_sessions_proven_by_check
  check (proven_by in ('password', 'totp', 'recovery', 'passkey', 'sso'));
