-- The numbers by which a host of ISO 8583 knows a request, so that no two processes send the same ones.
-- Safe while the previous release serves: it does not know this table.

create table trace_numbers (
  -- Host, terminal, time and trace number, as the connector writes them.
  key            text not null primary key,
  transaction_id uuid not null,
  reserved_at    timestamptz not null default clock_timestamp()
);
create index trace_numbers_age on trace_numbers (reserved_at);
