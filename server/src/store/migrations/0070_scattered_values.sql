-- outside a transaction
-- The panel finds payments by values that have no index of their own: an index for each would cost every payment. Block range indexes
-- remember which values occur in 64 pages of payments, some 320 of them, so that a search skips pages without its value. They cost a
-- payment nearly nothing, because pages are summarised when they are full. Decision 0251.
--
-- Safe while the previous release serves: two indexes more, built while payments go on.
create index concurrently if not exists payments_by_ip on payments using brin
  (payer_ip text_bloom_ops (n_distinct_per_range = 320, false_positive_rate = 0.001))
  with (pages_per_range = 64, autosummarize = on);
create index concurrently if not exists payments_by_traits on payments using brin
  (left(card_mask, 6) text_bloom_ops (n_distinct_per_range = 128, false_positive_rate = 0.001),
   (facts->'issuer'->>'country') text_bloom_ops (n_distinct_per_range = 48, false_positive_rate = 0.001),
   coalesce(payer->>'country', facts->'issuer'->>'country') text_bloom_ops (n_distinct_per_range = 48, false_positive_rate = 0.001),
   (facts->>'network') text_bloom_ops (n_distinct_per_range = 16, false_positive_rate = 0.001),
   decline_reason text_bloom_ops (n_distinct_per_range = 48, false_positive_rate = 0.001))
  with (pages_per_range = 64, autosummarize = on);
