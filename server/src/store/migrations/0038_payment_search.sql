-- The panel's search by what a person knows: the last four digits, the beginning of an order number in any case, the payer's last name, and
-- any reference of the acquirer.
--
-- The index by the masked card is replaced: its own order begins with the first six digits, which the list of payments does not show. A
-- masked card is found among the cards with its last four digits.
--
-- Safe while the previous release serves: its search by masked card reads more rows until it is replaced, and finds the same.
-- outside a transaction
create index concurrently payments_by_last_four on payments (merchant_id, right(card_mask, 4), id desc) where card_mask is not null;

drop index concurrently if exists payments_by_card;

-- Without the identifier: the matches of a beginning are in no order anyway. The merchant is second, because the planner would prefer a
-- narrow index that begins with the merchant for look-ups of a payment by its key.
create index concurrently payments_by_order on payments (lower(order_id) text_pattern_ops, merchant_id);

create index concurrently payments_by_last_name on payments (lower(payer->>'last_name') text_pattern_ops) where payer ? 'last_name';

-- One index for all references. A transaction enters it with its outcome, never with its intent.
create index concurrently transactions_references on transactions using gin (array_remove(array[reference, facts->>'arn', facts->>'rrn',
  facts->>'approvalCode', facts->>'gatewayId', facts->>'extraGatewayId'], null)) where reference is not null;
