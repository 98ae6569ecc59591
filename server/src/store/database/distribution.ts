/**
 * Where each table lives once the database is distributed over several servers (Citus). See decisions/shards#distribution-by-merchant.
 *
 * Rows of a merchant are together on one server, so that the statement of a payment touches one server only. Everything that is not a
 * merchant's own traffic stays on the coordinator: configuration, people, the panel, counters that several merchants share.
 */

/** Distributed by `merchant_id`, in an order in which foreign keys find their targets. */
export const distributedTables = [
  'payments',
  'transactions',
  'ledger_entries',
  'callbacks',
  'callback_attempts',
  'callback_credentials',
  'cards',
  'card_tokens',
  'chains',
  'deferred_commands',
  'idempotency_keys',
  'open_cascades',
  'payer_steps',
  'payment_notes',
  'payment_reviews',
  'payment_secrets',
  'payment_tags',
  'refused_wallet_tokens',
  'schedules',
  'sessions',
  'session_codes',
  'subscriptions',
  'transaction_watches',
  'order_claims',
  'session_claims',
  'plan_claims',
  'key_uses',
] as const
