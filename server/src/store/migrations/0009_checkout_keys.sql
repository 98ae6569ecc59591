-- What the Checkout API adds to its sessions (0007): the keys that sign session tokens (chapter 30 §3.6), and the VAT rate that
-- `vat_calc` applies (§3.2).
--
-- Safe while the previous release still runs: it knows neither the table nor the column, and a merchant without a rate has none.
create table session_keys (
  -- Also the `kid` of the tokens it signs.
  id             uuid primary key,
  -- Public half, DER. Kept for ever: a token is verified by the key that signed it, however old it is.
  spki           bytea not null,
  private_sealed bytea not null,
  created_at     timestamptz not null,
  retired_at     timestamptz
);
-- Of processes that start together one makes the key, and all others use that one.
create unique index session_keys_current on session_keys ((true)) where retired_at is null;

-- A percentage as the operator wrote it.
alter table merchants add column vat_percent text;

-- A token that was told with a payment which has not succeeded is told apart from one that nobody knows (§3.9).
create index payments_issued_token on payments (merchant_id, (facts->>'issuedToken')) where facts ? 'issuedToken';
