-- The money of a chargeback that came back, because the dispute was won or the payer's bank withdrew it. Its ledger entry is a second one of the
-- CHARGEBACK transaction. reported_at is the acquirer's time of the report that last decided the stage, since reports arrive in any order.
--
-- Safe while the previous release serves: it does not know these columns, and money that it does not return is returned by the next.
alter table disputes
  add column returned_minor numeric(38) not null default 0,
  add column returned_at timestamptz,
  add column reported_at timestamptz;
create index disputes_payment on disputes (merchant_id, payment_id);
