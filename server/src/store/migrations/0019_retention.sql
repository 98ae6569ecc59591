-- Retention (chapter 50 §5): when each kind of data was last looked through for what is kept no longer, and which payments have lost
-- their payer's data.
--
-- A run goes through one kind of data batch by batch. Each batch moves the cursor and adds to `removed` in the transaction that removes;
-- the last one tells the sum to the audit log. A process that dies leaves its lease to lapse, and the next goes on behind the cursor.
--
-- Safe while the previous release still runs: it knows neither the table nor the column nor the indexes, and reads a payment without its
-- payer's data as it reads one of a payer who gave none.
-- outside a transaction
create table if not exists retention_runs (
  kind        text primary key,
  next_at     timestamptz not null,
  lease_until timestamptz,
  -- Where the next batch begins; empty at the beginning.
  cursor      text not null default '',
  removed     bigint not null default 0 check (removed >= 0),
  -- When the last run ended, and when a walk that goes on where the last one ended began anew.
  ended_at    timestamptz,
  restarted_at timestamptz
);

alter table payments add column if not exists erased_at timestamptz;

-- Whose card a recipient's is: asked before a number is removed.
create index concurrently payments_payee_card on payments (merchant_id, (facts->>'payeeCardId')) where facts ? 'payeeCardId';

-- What a payer asked to be forgotten left behind without paying.
create index concurrently sessions_by_email on sessions (merchant_id, lower(request->'customer'->>'email'))
  where request->'customer' ? 'email';

-- Numbers that were typed into hosted fields and never used.
create index concurrently sessions_with_card on sessions (expires_at) where fields_sealed is not null;
