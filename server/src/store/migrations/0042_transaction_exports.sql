-- Exports with a row for each transaction, beside those with a row for each payment.
--
-- Safe while the previous release serves: it writes the kinds that it knows.
-- oldest program: 0020
alter table exports drop constraint exports_kind_check;
alter table exports add constraint exports_kind_check check (kind in ('payments', 'transactions', 'audit'));
