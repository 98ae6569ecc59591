-- The events feed: a merchant fetches its callbacks in the order in which they were written. A page must not skip a callback whose
-- transaction commits late, so each row carries the transaction that wrote it, and a page ends before the oldest one that is still open.
--
-- The default is evaluated once for the rows that exist, so that the table is not rewritten; these rows are ordered by their identifiers.
--
-- Safe while the previous release serves: it does not name the column, and its callbacks get the default.
-- outside a transaction
alter table callbacks add column if not exists written_in xid8 not null default pg_current_xact_id();

create index concurrently callbacks_feed on callbacks (merchant_id, written_in, id);
