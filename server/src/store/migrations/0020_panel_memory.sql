-- What the panel keeps for a while to tell or to show it later.
--
-- Refused sign-ins stand in the audit log (chapter 50 §8), those of one network address at most once a minute: what comes in between is
-- counted with the failures of that address, and told by a later entry.
--
-- Why a page showed no button of a wallet (chapter 40 §17) is kept by day, so that whoever asks for the reason is told what pages and
-- browsers met, and not only what the settings say now.
--
-- A logo that somebody chose and did not save is kept for the preview, one for each user (chapter 50 §8, "Checkout branding").
--
-- Safe while the previous release still runs: it neither reads nor writes what is new, and a constant default rewrites no table.
alter table sign_in_failures
  add column noted_at timestamptz,
  add column unnoted integer not null default 0;

create index sign_in_failures_unnoted on sign_in_failures (noted_at) where unnoted > 0;

create table missing_buttons (
  merchant_id uuid not null,
  side text not null check (side in ('live', 'test')),
  wallet text not null,
  reason text not null,
  source text not null check (source in ('service', 'browser')),
  day date not null,
  count integer not null check (count > 0),
  last_at timestamptz not null,
  primary key (merchant_id, side, wallet, day, reason, source)
);

create table previewed_logos (
  user_id uuid primary key references users on delete cascade,
  hash text not null,
  type text not null,
  content bytea not null,
  at timestamptz not null
);
