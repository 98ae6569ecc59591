-- Payment links (chapter 70 §8), and the Checkout sessions that their payers opened.
--
-- Safe while the previous release serves: it does not know these tables.
create table payment_links (
  id           uuid        primary key,
  merchant_id  uuid        not null references merchants,
  code         text        not null unique,
  test         boolean     not null,
  amount_minor numeric(38) check (amount_minor > 0),
  currency     text        not null,
  description  text        not null,
  order_number text,
  uses         text        not null check (uses in ('single', 'many')),
  language     text,
  metadata     jsonb,
  expires_at   timestamptz,
  cancelled_at timestamptz,
  session_id   uuid,
  created_by   text        not null,
  created_at   timestamptz not null,
  -- A payment of many cannot have the number of another one.
  constraint order_number_of_one_payment check (order_number is null or uses = 'single')
);
create index payment_links_merchant on payment_links (merchant_id, id desc);

create table payment_link_sessions (
  merchant_id uuid        not null,
  session_id  uuid        not null,
  link_id     uuid        not null references payment_links,
  opened_at   timestamptz not null,
  primary key (merchant_id, session_id)
);
create index payment_link_sessions_link on payment_link_sessions (link_id, opened_at desc);
