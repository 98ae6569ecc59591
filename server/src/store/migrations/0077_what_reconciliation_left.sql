-- What the last `gatehouse restore reconcile` left to people: MIDs that were not compared, and executed transactions that the database does not
-- have. `gatehouse restore end` refuses while there is any. Decision 0347.
--
-- `compared_at` equals `reconciled_at` if both columns are of that run: the previous release writes `reconciled_at` alone.
-- Safe while the previous release serves: three columns more, null until this release writes them.
alter table instance
  add column compared_at timestamptz,
  add column mids_not_compared text[],
  add column effects_not_in_record integer;
