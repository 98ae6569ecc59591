-- outside a transaction
-- The comparison by days finds the rows of a MID that were booked on them. Equal keys share an entry of the index, so that a row adds some bytes.
--
-- Safe while the previous release serves: an index only, built while imports go on.
create index concurrently if not exists settlement_rows_booked on settlement_rows (mid_id, booked_on);
