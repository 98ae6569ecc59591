-- Refused requests of merchants' servers, for the merchant's developer: the newest of each merchant, for a few days.
-- No card data: the covered values of a wrong hash are masked before they are stored. A process that dies loses its last refusals, so
-- nothing may depend on them.
-- Safe while the previous release serves: it does not know the table.

create table refused_requests (
  merchant_id uuid not null,
  id          uuid not null,
  request_id  text not null,
  side        text not null check (side in ('live', 'test')),
  -- Null if the action is unknown.
  protocol    text,
  action      text,
  order_id    text,
  payment_id  uuid,
  -- The check that refused the request.
  step        text not null,
  at          timestamptz not null,
  -- The refusal, and the explanation of a wrong hash.
  refusal     jsonb not null,
  primary key (merchant_id, id)
);

create index refused_requests_request on refused_requests (request_id);
create index refused_requests_age on refused_requests (at);
