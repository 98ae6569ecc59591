-- Alternative payment methods and device wallets (chapters 20 and 40).
--
-- Amounts become numeric: one ether has 10^18 minor units, and a bigint ends at nine of them. The columns keep their checks. Not safe
-- while the previous release still runs, because it reads amounts as bigint; nothing has been released with them yet.
alter table payments
  alter column amount_minor type numeric(38, 0),
  alter column authorised_minor type numeric(38, 0),
  alter column captured_minor type numeric(38, 0),
  alter column refunded_minor type numeric(38, 0),
  alter column charged_back_minor type numeric(38, 0);
alter table transactions alter column amount_minor type numeric(38, 0);
alter table ledger_entries alter column amount_minor type numeric(38, 0);

-- CALC: the first step of a debit in two steps, which asks nobody and moves nothing.
alter table transactions drop constraint transactions_type_check;
alter table transactions add constraint transactions_type_check
  check (type in ('SALE', 'AUTH', '3DS', 'REDIRECT', 'CAPTURE', 'REFUND', 'REVERSAL', 'VOID', 'DEBIT', 'CREDIT', 'TRANSFER', 'RETRY',
                  'CHARGEBACK', 'CALC'));

-- What the acquirer may have to be sent once more and nobody may read: a wallet's token or cryptogram, which is erased as soon as the
-- first step has its outcome, and the secret parameters of a brand.
create table payment_secrets (
  merchant_id uuid not null,
  payment_id  uuid not null,
  purpose     text not null check (purpose in ('wallet', 'parameters')),
  sealed      bytea not null,
  primary key (merchant_id, payment_id, purpose),
  foreign key (merchant_id, payment_id) references payments
);

-- A brand of the operator, or the operator's changes of one that ships with the service; null for a card network. Every save is a new
-- version, and a payment keeps the version it was made with.
alter table brands
  add column record     jsonb,
  add column version    int not null default 1,
  add column changed_by text,
  add column changed_at timestamptz;

-- The commission of debits per currency: a fixed part in minor units and a percentage, both as text.
alter table merchants add column debit_commission jsonb not null default '{}';
