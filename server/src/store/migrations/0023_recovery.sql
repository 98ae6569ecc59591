-- An instance whose database was restored from a backup knows less than its acquirers do. It must not act on that record before they
-- were asked: a plan would charge a date twice. `instance` keeps that state; `instance_pulse` lets a start see that time went back.
-- Safe while the previous release serves: new columns are null, and it does not know the table.
alter table instance
  add column recovering_since timestamptz,
  add column recovery_reason text,
  add column reconciled_at timestamptz,
  add column recovered_at timestamptz;

-- Apart from `instance`, whose every change makes all processes read their configuration anew.
create table instance_pulse (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid(),
  beats bigint not null default 0,
  cluster text
);
insert into instance_pulse default values;
