-- Payments and their transactions, ledger entries, callbacks and attempts become partitioned tables, by the time in the payment's or the
-- callback's identifier. The table from before becomes the first part and covers all time; a worker later splits off the coming months.
-- Nothing is copied and nothing is read: the bounds of the first part are proved by `not null`. Decisions 0200 and 0201.
--
-- Parts are in the schema `months` and keep their constraints, so that keys, indexes and messages have the names they had. Transactions,
-- ledger entries and callbacks refer to the part of their own month; other tables refer to no payment any more, because a reference to a
-- partitioned table would have to be checked whole whenever a month is split off or removed.
--
-- Safe while the previous release serves: all names and columns stay. The locks last as long as the catalogue is changed.
-- oldest program: 0048
create schema months;

alter table chains drop constraint chains_merchant_id_first_payment_fkey;
alter table deferred_commands drop constraint deferred_commands_merchant_id_payment_id_fkey;
alter table open_cascades drop constraint open_cascades_merchant_id_payment_id_fkey;
alter table payment_secrets drop constraint payment_secrets_merchant_id_payment_id_fkey;
alter table payer_steps drop constraint payer_steps_merchant_id_payment_id_transaction_id_fkey;
alter table transaction_watches drop constraint transaction_watches_merchant_id_payment_id_transaction_id_fkey;

drop trigger payments_claim on payments;
drop trigger payments_claim_again on payments;
drop trigger transactions_claim on transactions;
drop trigger ledger_entries_append_only on ledger_entries;

do $do$
declare
  given record;
  entry record;
begin
  for given in
    select * from (values
      ('payments', 'id'), ('transactions', 'payment_id'), ('ledger_entries', 'payment_id'), ('callbacks', 'payment_id'),
      ('callback_attempts', 'callback_id')) as given (name, key)
  loop
    execute format('alter table public.%I set schema months', given.name);
    execute format('alter table months.%I rename to %I', given.name, given.name || '_first');
    execute format('create table public.%I (like months.%I including all excluding indexes) partition by range (%I)',
      given.name, given.name || '_first', given.key);
    for entry in
      select i.relname as name, pg_get_indexdef(i.oid) as text, pg_get_constraintdef(c.oid) as key
      from pg_index x join pg_class i on i.oid = x.indexrelid left join pg_constraint c on c.conindid = i.oid and c.contype = 'p'
      where x.indrelid = format('months.%I', given.name || '_first')::regclass
        and i.relname not in ('payments_alone_in_order', 'payments_alone_in_session', 'payments_plan_date', 'transactions_idempotency', 'callbacks_id')
    loop
      if entry.key is not null then
        execute format('alter table public.%I add constraint %I %s', given.name, entry.name, entry.key);
      else
        execute replace(entry.text, format(' ON months.%I ', given.name || '_first'), format(' ON public.%I ', given.name));
      end if;
    end loop;
    execute format('alter table public.%I attach partition months.%I for values from (minvalue) to (maxvalue)', given.name, given.name || '_first');
  end loop;
end $do$;

create trigger payments_claim after insert on payments for each row
  when (new.alone_in_order or new.session_id is not null or new.plan_date is not null)
  execute function claim_payment();
create trigger payments_claim_again after update of status, alone_in_order on payments for each row
  when ((new.status = 'DECLINED') <> (old.status = 'DECLINED') and (new.alone_in_order or old.alone_in_order or new.session_id is not null)
    or new.alone_in_order <> old.alone_in_order)
  execute function claim_payment();
create trigger transactions_claim after insert on transactions for each row
  when (new.idempotency_use is not null) execute function claim_key_use();
create trigger ledger_entries_append_only before delete or update on ledger_entries for each row execute function refuse_change();

-- Months that retention removes, from before their parts are detached until they are gone, so that an interrupted removal is completed.
create table month_removals (
  suffix      text primary key,
  ends_before timestamptz not null,
  payments    bigint not null,
  begun_at    timestamptz not null,
  ended_at    timestamptz
);
