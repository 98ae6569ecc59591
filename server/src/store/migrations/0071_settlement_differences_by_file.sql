-- outside a transaction
-- The list of settlement files shows how many differences of each are open.
--
-- Safe while the previous release serves: an index only, built while imports go on.
create index concurrently if not exists settlement_differences_file on settlement_differences (file_id) where resolved_at is null;
