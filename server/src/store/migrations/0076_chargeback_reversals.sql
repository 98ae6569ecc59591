-- Rows of settlement files that return the money of a chargeback, and returns that no row has settled (chapter 60 §5, decision 0301).
--
-- Safe while the previous release serves: it writes neither kind, and shows one that it reads by its name. Older rows are not checked again: the new
-- constraints allow more than the old ones.
--
-- oldest program: 0020
alter table settlement_rows drop constraint settlement_rows_kind_check;
alter table settlement_rows add constraint settlement_rows_kind_check
  check (kind in ('charge', 'refund', 'chargeback', 'chargeback-reversal', 'payout', 'fee', 'adjustment')) not valid;
alter table settlement_differences drop constraint settlement_differences_kind_check;
alter table settlement_differences add constraint settlement_differences_kind_check
  check (kind in ('missing-here', 'missing-there', 'reversal-missing', 'amount', 'currency', 'other-mid', 'other-outcome', 'doubled', 'late')) not valid;
