-- Mapping option "Reject duplicate orders" (chapter 10 §1.4): of payments of one order that arrive together only one may begin. A look-up
-- alone cannot tell them apart, so a payment made under the option is marked, and the index lets one stand. A declined one leaves
-- the index and makes room for the next.
--
-- Safe while the previous release still runs: it never writes the column, and what is not marked is not in the index.
alter table payments add column alone_in_order boolean not null default false;

create unique index payments_alone_in_order on payments (merchant_id, order_id, test)
  where alone_in_order and status <> 'DECLINED';
