-- The replay guard of wallet tokens (chapter 40 §13): a token is used once, for ever, over all merchants, protocols and sides. The
-- index decides, not a look-up, so that of parallel requests with one token exactly one creates a payment; the row is written in the
-- statement that creates it. Keyed by the hash of the token's id and not by merchant, because the same token may be tried at another.
--
-- Safe while the previous release still runs: it takes no wallet tokens and never writes the table.
create table wallet_token_uses (
  wallet      text not null check (wallet in ('walletapay', 'walletbpay')),
  token_hash  bytea not null check (length(token_hash) = 32),
  merchant_id uuid not null,
  payment_id  uuid not null,
  used_at     timestamptz not null,
  primary key (wallet, token_hash),
  foreign key (merchant_id, payment_id) references payments
);
