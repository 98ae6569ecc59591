-- The second factor: recovery codes for a user who lost the device, the time from which the days of grace count, and requests for a second
-- person to reset the factor of a user. A code is random enough that its hash needs no slow function.
--
-- Safe while the previous release serves: it neither reads the codes nor writes requests of the new kind, and a session that was opened by a
-- recovery code is one with a second factor to it.
-- oldest program: 0020
create table recovery_codes (
  user_id    uuid        not null references users,
  code_hash  bytea       not null check (length(code_hash) = 32),
  created_at timestamptz not null,
  used_at    timestamptz,
  primary key (user_id, code_hash)
);

alter table users add column factor_demanded_at timestamptz;

alter table admin_sessions drop constraint admin_sessions_method_check;
alter table admin_sessions add constraint admin_sessions_method_check
  check (method in ('password', 'password+totp', 'password+recovery', 'passkey'));
alter table admin_sessions drop constraint admin_sessions_proven_by_check;
alter table admin_sessions add constraint admin_sessions_proven_by_check
  check (proven_by in ('password', 'totp', 'recovery', 'passkey'));

alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check
  check (kind in ('refund', 'password-reveal', 'routing-publish', 'outcome', 'give-back', 'difference', 'factor-reset'));
