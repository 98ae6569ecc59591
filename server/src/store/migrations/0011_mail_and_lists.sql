-- Mail to people, and lists that an operator edits: where wallets are served, and how many decimals a crypto currency has.
--
-- Safe while the previous release still runs: it neither writes nor misses any of it.

-- Written with what it tells of, sent by a worker, gone when it was sent. Chapter 40 §6.
create table mails (
  id          uuid primary key,
  recipient   text not null,
  subject     text not null,
  text        text not null,
  written_at  timestamptz not null,
  attempts    int not null default 0,
  next_at     timestamptz not null,
  lease_until timestamptz
);
create index mails_due on mails (next_at);

-- Whether the merchant was told that its wallet is live; forgotten when the wallet stops (§2, step 2).
alter table wallet_watches add column announced boolean not null default false;
update wallet_watches set announced = true;

-- The country rule of a wallet's brand reads the list, so that a change of it is a change of configuration (chapter 20 §5.4).
create trigger wallet_countries_notify after insert or update or delete on wallet_countries
  for each statement execute function notify_configuration();

-- Code to number of decimals; null is the table of the release (chapter 20 §2).
alter table instance add column crypto_currencies jsonb;

-- The newest tokens of a merchant, among payments of which most have none (chapter 40 §4.2, "Check now").
create index payments_wallet on payments (merchant_id, id desc) where facts ? 'wallet';
