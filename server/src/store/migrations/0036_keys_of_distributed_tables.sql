-- Keys that a distributed database can hold (decision 0133): unique indexes contain the merchant, and no table of the coordinator refers to
-- a distributed one. Identifiers of sessions and card tokens are random enough to be unique by themselves.
--
-- `taken_at` of an idempotency key is the database's time at which it was taken: the next request compares it with the lease.
--
-- Safe while the previous release serves: it finds sessions and tokens by the new indexes, conflicts of tokens are resolved by the primary
-- key, and it does not know the column.
-- outside a transaction

create index concurrently if not exists sessions_by_id on sessions (id);
create index concurrently if not exists card_tokens_by_token on card_tokens (token);
drop index concurrently if exists sessions_id;
drop index concurrently if exists card_tokens_token;
alter table wallet_token_uses drop constraint if exists wallet_token_uses_merchant_id_payment_id_fkey;
alter table idempotency_keys add column if not exists taken_at timestamptz;
