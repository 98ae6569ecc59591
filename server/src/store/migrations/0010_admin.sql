-- The admin panel's own ground: who may sign in, with what, for which merchants, what was changed by whom, and what waits for a
-- second person. Chapter 50 §8.
--
-- Times here are the machine's, also where a sandbox has moved its clock: a session, a lock-out and the phone's codes belong to the
-- people at the panel. The audit log and approvals have the instance's time, as everything that they tell about.
--
-- Safe while the previous release still runs: it reads and writes none of these tables, and the new indexes change no answer.

-- Permission sets that an operator made beside the built-in roles, which are code.
create table roles (
  name        text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  title       text not null,
  permissions text[] not null,
  created_at  timestamptz not null
);

create table users (
  id                  uuid primary key,
  -- Lower case: nobody has two accounts by capital letters.
  email               text not null unique check (email = lower(email)),
  name                text not null,
  -- argon2id, in the PHC form that names its own parameters.
  password_hash       text not null,
  password_changed_at timestamptz not null,
  -- Given by somebody else: to be changed before anything is done with it.
  password_temporary  boolean not null default false,
  totp_sealed         bytea,
  -- Null while it was shown and not yet proven.
  totp_enabled_at     timestamptz,
  -- The step of the last code that was taken: a code counts once.
  totp_last_step      bigint not null default 0,
  status              text not null default 'active' check (status in ('active', 'disabled')),
  role                text not null,
  -- False restricts the user to user_merchants.
  all_merchants       boolean not null,
  created_at          timestamptz not null,
  last_sign_in_at     timestamptz
);

create table user_merchants (
  merchant_id uuid not null references merchants (id),
  user_id     uuid not null references users (id),
  primary key (merchant_id, user_id)
);
create index user_merchants_user on user_merchants (user_id);

create table user_passkeys (
  user_id    uuid not null references users (id),
  -- As the authenticator names it, base64url.
  id         text not null unique,
  public_key bytea not null,
  counter    bigint not null,
  transports text[] not null default '{}',
  name       text not null,
  created_at timestamptz not null,
  used_at    timestamptz,
  primary key (user_id, id)
);

-- What a passkey has to sign. Taken once, whatever comes of it.
create table passkey_challenges (
  id         uuid primary key,
  challenge  text not null,
  -- Null for a sign-in, where the passkey itself says who it is.
  user_id    uuid references users (id),
  expires_at timestamptz not null
);
create index passkey_challenges_age on passkey_challenges (expires_at);

-- Failed sign-ins by what was tried, existing or not, so that a lock-out tells nobody which addresses have an account.
create table sign_in_failures (
  subject      text primary key,
  failures     int not null,
  last_at      timestamptz not null,
  locked_until timestamptz
);
create index sign_in_failures_age on sign_in_failures (last_at);

create table admin_sessions (
  id         uuid primary key,
  -- SHA-256 of what the cookie holds.
  token_hash bytea not null unique check (length(token_hash) = 32),
  user_id    uuid not null references users (id),
  -- How the user proved who it is.
  method     text not null check (method in ('password', 'password+totp', 'passkey')),
  created_at timestamptz not null,
  seen_at    timestamptz not null,
  expires_at timestamptz not null,
  user_agent text not null,
  address    text not null
);
create index admin_sessions_user on admin_sessions (user_id);
create index admin_sessions_age on admin_sessions (expires_at);

-- Maker and checker: what one person asked for and another has to allow.
create table approvals (
  id          uuid primary key,
  kind        text not null check (kind in ('refund', 'password-reveal', 'routing-publish')),
  merchant_id uuid references merchants (id),
  subject     text not null,
  request     jsonb not null,
  reason      text not null,
  asked_by    uuid not null references users (id),
  asked_at    timestamptz not null,
  expires_at  timestamptz not null,
  state       text not null check (state in ('waiting', 'approved', 'done', 'refused', 'withdrawn', 'failed')),
  decided_by  uuid references users (id),
  decided_at  timestamptz,
  note        text,
  result      jsonb,
  constraint another_person check (decided_by is null or state = 'withdrawn' or decided_by <> asked_by),
  constraint decided_by_somebody check ((state = 'waiting') = (decided_by is null))
);
create index approvals_waiting on approvals (asked_at) where state = 'waiting';
create index approvals_merchant on approvals (merchant_id, id);
-- Of one thing one request waits: a refund that is asked for twice would be made twice.
create unique index approvals_one_waiting on approvals (kind, subject) where state = 'waiting';

-- Every change and every reveal. Each entry carries the hash of the one before it, so that none can be changed, left out or put in
-- between without breaking all that follow. Texts are kept as they were hashed.
create table audit_log (
  seq           bigint primary key check (seq > 0),
  -- To the millisecond, which is what was hashed.
  at            timestamptz not null check (at = date_trunc('milliseconds', at)),
  actor         text not null,
  action        text not null,
  subject       text not null,
  merchant_id   uuid,
  before        text,
  after         text,
  address       text,
  previous_hash text not null check (previous_hash ~ '^[0-9a-f]{64}$'),
  hash          text not null check (hash ~ '^[0-9a-f]{64}$')
);
create index audit_log_merchant on audit_log (merchant_id, seq);
create index audit_log_actor on audit_log (actor, seq);
create index audit_log_action on audit_log (action, seq);
create index audit_log_subject on audit_log (subject, seq);
create index audit_log_at on audit_log (at, seq);
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_never_emptied before truncate on audit_log
  for each statement execute function refuse_change();

create table saved_filters (
  user_id    uuid not null references users (id),
  id         uuid not null,
  page       text not null,
  name       text not null,
  filter     jsonb not null,
  created_at timestamptz not null,
  primary key (user_id, id)
);
create unique index saved_filters_name on saved_filters (user_id, page, name);

-- Downloads under way: how far they are, and whether somebody has called them off. Their content is kept nowhere.
create table exports (
  user_id      uuid not null references users (id),
  id           uuid not null,
  kind         text not null check (kind in ('payments', 'audit')),
  filter       jsonb not null,
  state        text not null check (state in ('ready', 'running', 'done', 'cancelled', 'failed')),
  rows_total   bigint not null,
  rows_written bigint not null default 0,
  created_at   timestamptz not null,
  ended_at     timestamptz,
  primary key (user_id, id)
);

-- Transactions page. Newest first goes by the identifier, which is time-ordered; each filter has it as its second column, so that a
-- first page reads as many rows as it shows, at any size of the table. What only some payments have is indexed for those alone.
create index payments_newest on payments (id desc);
create index payments_by_day on payments (created_at);
create index payments_by_status on payments (status, id desc);
-- What the people of a merchant ask for most.
create index payments_by_merchant_status on payments (merchant_id, status, id desc);
create index payments_by_order on payments (order_id, id desc);
create index payments_by_mid on payments (mid_id, id desc);
create index payments_by_currency on payments (currency, id desc);
create index payments_by_amount on payments (amount_minor, id desc);
create index payments_by_side on payments (test, id desc);
create index payments_by_email on payments (lower(payer_email), id desc) where payer_email is not null;
create index payments_by_card on payments (card_mask, id desc) where card_mask is not null;
create index payments_by_brand on payments ((facts->'brand'->>'code'), id desc) where facts ? 'brand';
create index payments_by_wallet on payments ((facts->'wallet'->>'name'), id desc) where facts ? 'wallet';
create index payments_by_pan_type on payments ((facts->'wallet'->>'panType'), id desc) where facts ? 'wallet';
create index payments_by_3ds_server on payments ((facts->'threeDs'->>'threeDSServerTransID'), id desc) where facts ? 'threeDs';
create index payments_by_3ds_status on payments ((facts->'threeDs'->>'transStatus'), id desc) where facts ? 'threeDs';
create index payments_by_3ds_ds on payments ((facts->'threeDs'->>'dsTransID'), id desc) where facts ? 'threeDs';
create index payments_by_3ds_acs on payments ((facts->'threeDs'->>'acsTransID'), id desc) where facts ? 'threeDs';
create index payments_by_3ds_xid on payments ((facts->'threeDs'->>'xid'), id desc) where facts ? 'threeDs';
create index payments_by_3ds_flow on payments ((facts->'threeDs'->>'authenticationFlow'), id desc) where facts ? 'threeDs';
create index payments_by_initiator on payments ((facts->'storedCredential'->>'initiator'), id desc) where facts ? 'storedCredential';
create index payments_by_sequence on payments ((facts->'storedCredential'->>'sequence'), id desc) where facts ? 'storedCredential';
create index payments_by_source on payments ((facts->'storedCredential'->>'source'), id desc) where facts ? 'storedCredential';
