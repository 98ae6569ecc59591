-- outside a transaction
-- Statements read a merchant's entries of a period, and the release of a reserve those of a day.
--
-- Safe while the previous release serves: indexes only, built while payments go on.
create index concurrently if not exists ledger_entries_at on ledger_entries (merchant_id, at);
create index concurrently if not exists ledger_entries_reserve on ledger_entries (merchant_id, at) where to_account = 'reserve';
