-- outside a transaction
-- Callbacks of a month are found by their identifier. An index that is unique without the payment cannot be part of a partitioned table;
-- identifiers of callbacks are random enough to be unique by themselves, and the key of a callback is its number within its payment.
--
-- Safe while the previous release serves: an index more, built while payments go on. The unique index stays on the rows from before.
create index concurrently if not exists callbacks_by_id on callbacks (merchant_id, id);
