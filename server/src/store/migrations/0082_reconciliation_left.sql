-- What `gatehouse restore reconcile` left, with the time from which each MID was to be compared and the time of each missing transaction: a later run with
-- `--since` compares only a part of it again, and the rest stays. Decision 0347.
--
-- Safe while the previous release serves: one column more, null until this release writes it.
alter table instance add column reconciliation_left jsonb;
