-- Disputes: the life of each chargeback, with its deadline, the answer of the merchant and the evidence, which is sealed. A dispute has the id of
-- its CHARGEBACK transaction, so that an event that is reported twice opens one dispute.
--
-- Safe while the previous release serves: it does not know these tables. A chargeback that it records has no dispute.
create table disputes (
  merchant_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  mid_id uuid not null,
  reference text not null,
  reason_code text not null,
  amount_minor numeric(38) not null check (amount_minor > 0),
  currency text not null,
  amount_decimals smallint not null,
  network text,
  stage text not null check (stage in ('inquiry', 'chargeback', 'pre-arbitration', 'won', 'lost')),
  answer text check (answer in ('accepted', 'contested')),
  answered_at timestamptz,
  due_on date,
  warned_days smallint,
  opened_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (merchant_id, id)
);
create index disputes_newest on disputes (id desc);
create index disputes_due on disputes (due_on) where due_on is not null and answer is null and stage not in ('won', 'lost');
create index disputes_mid on disputes (mid_id, opened_at);

create table dispute_files (
  merchant_id uuid not null,
  dispute_id uuid not null,
  id uuid not null,
  name text not null,
  type text not null check (type in ('application/pdf', 'image/png', 'image/jpeg')),
  size integer not null check (size > 0),
  sha256 text not null,
  sealed bytea not null,
  added_by text not null,
  added_at timestamptz not null,
  sent_at timestamptz,
  primary key (merchant_id, dispute_id, id),
  foreign key (merchant_id, dispute_id) references disputes (merchant_id, id)
);
