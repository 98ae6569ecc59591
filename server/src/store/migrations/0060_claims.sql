-- One payment of an order, of a session and of a date of a plan, and one transaction of an idempotency key: rules that partitions by month
-- cannot hold, because a unique index of a partitioned table contains the partition key. Each gets a table of its own, whose primary key is
-- the rule. Decision 0199.
--
-- The statements of this release write their claims. Triggers write them for the previous release, which knows none, and refuse with the
-- name of the index whose rule they hold; a claim that the statement has written for the same payment is left as it is. A payment without
-- any of the rules fires none. The release after this one drops the triggers.
--
-- Safe while the previous release serves: the indexes stay, and claims are written for both releases. Payments from before have no claims
-- until a worker has filled them in; `claim_fill` says how far it has come.
do $do$
declare distributed boolean := false;
begin
  if to_regclass('pg_dist_partition') is not null then
    execute 'select exists (select 1 from pg_dist_partition where logicalrelid = ''payments''::regclass)' into distributed;
  end if;
  if distributed then
    raise exception 'The tables of payments are distributed, and only local ones can become tables in parts by month. Stop all processes, call undistribute_table for each, migrate, and run "gatehouse migrate distribute" again.';
  end if;
end $do$;

create table order_claims (
  merchant_id uuid not null,
  order_id    text not null,
  test        boolean not null,
  payment_id  uuid not null,
  primary key (merchant_id, order_id, test)
);

create table session_claims (
  merchant_id uuid not null,
  session_id  uuid not null,
  payment_id  uuid not null,
  primary key (merchant_id, session_id)
);

create table plan_claims (
  merchant_id     uuid not null,
  subscription_id uuid not null,
  plan_date       date not null,
  payment_id      uuid not null,
  primary key (merchant_id, subscription_id, plan_date)
);

create table key_uses (
  merchant_id    uuid not null,
  use_id         uuid not null,
  payment_id     uuid not null,
  transaction_id uuid not null,
  primary key (merchant_id, use_id)
);

create table claim_fill (
  only_row  boolean primary key default true check (only_row),
  -- The payment up to which the claims are filled in; null before the first.
  cursor    uuid,
  filled_at timestamptz
);
insert into claim_fill (filled_at) select case when not exists (select 1 from payments) then now() end;

create function claim_payment() returns trigger language plpgsql as $function$
declare
  stands boolean := new.status <> 'DECLINED';
  stood  boolean := tg_op = 'UPDATE' and old.status <> 'DECLINED';
  had_order boolean := stood and old.alone_in_order;
  rule text;
begin
  if stands and new.alone_in_order and not had_order then
    insert into order_claims (merchant_id, order_id, test, payment_id)
    values (new.merchant_id, new.order_id, new.test, new.id) on conflict do nothing;
    if not found and not exists (select 1 from order_claims
      where merchant_id = new.merchant_id and order_id = new.order_id and test = new.test and payment_id = new.id)
    then rule := 'payments_alone_in_order'; end if;
  elsif had_order and not (stands and new.alone_in_order) then
    delete from order_claims
    where merchant_id = new.merchant_id and order_id = new.order_id and test = new.test and payment_id = new.id;
  end if;

  if new.session_id is not null and stands and not stood then
    insert into session_claims (merchant_id, session_id, payment_id)
    values (new.merchant_id, new.session_id, new.id) on conflict do nothing;
    if not found and not exists (select 1 from session_claims
      where merchant_id = new.merchant_id and session_id = new.session_id and payment_id = new.id)
    then rule := 'payments_alone_in_session'; end if;
  elsif new.session_id is not null and stood and not stands then
    delete from session_claims
    where merchant_id = new.merchant_id and session_id = new.session_id and payment_id = new.id;
  end if;

  if tg_op = 'INSERT' and new.plan_date is not null and new.subscription_id is not null and new.attempt = 1 then
    insert into plan_claims (merchant_id, subscription_id, plan_date, payment_id)
    values (new.merchant_id, new.subscription_id, new.plan_date, new.id) on conflict do nothing;
    if not found and not exists (select 1 from plan_claims
      where merchant_id = new.merchant_id and subscription_id = new.subscription_id and plan_date = new.plan_date and payment_id = new.id)
    then rule := 'payments_plan_date'; end if;
  end if;

  if rule is not null then
    raise unique_violation using message = format('duplicate claim violates unique constraint "%s"', rule), constraint = rule, table = 'payments';
  end if;
  return null;
end $function$;

create function claim_key_use() returns trigger language plpgsql as $function$
begin
  insert into key_uses (merchant_id, use_id, payment_id, transaction_id)
  values (new.merchant_id, new.idempotency_use, new.payment_id, new.id) on conflict do nothing;
  if not found and not exists (select 1 from key_uses
    where merchant_id = new.merchant_id and use_id = new.idempotency_use and transaction_id = new.id)
  then
    raise unique_violation using message = 'duplicate claim violates unique constraint "transactions_idempotency"',
      constraint = 'transactions_idempotency', table = 'transactions';
  end if;
  return null;
end $function$;

create trigger payments_claim after insert on payments for each row
  when (new.alone_in_order or new.session_id is not null or new.plan_date is not null)
  execute function claim_payment();
create trigger payments_claim_again after update of status, alone_in_order on payments for each row
  when ((new.status = 'DECLINED') <> (old.status = 'DECLINED') and (new.alone_in_order or old.alone_in_order or new.session_id is not null)
    or new.alone_in_order <> old.alone_in_order)
  execute function claim_payment();
create trigger transactions_claim after insert on transactions for each row
  when (new.idempotency_use is not null) execute function claim_key_use();
