-- Payments that a rule holds for review (chapter 70 §7), and what people decided.
--
-- outside a transaction
--
-- Safe while the previous release serves: it knows neither, and rules with the action `review` are published only when its last process has
-- stopped, because it cannot read them.
create table if not exists payment_reviews (
  merchant_id uuid        not null,
  payment_id  uuid        not null,
  decision    text        not null check (decision in ('accepted', 'rejected')),
  reason      text        not null,
  decided_by  text        not null,
  decided_at  timestamptz not null,
  primary key (merchant_id, payment_id)
);

create index concurrently if not exists payments_in_review on payments (id) where status = 'PENDING' and routing ? 'review';
