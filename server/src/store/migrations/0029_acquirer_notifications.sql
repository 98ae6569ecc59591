-- What acquirers told us by calling us: each notification once, and its events until they are entered.
-- Safe while the previous release serves: it does not know these tables.

create table acquirer_notifications (
  mid_id      uuid not null,
  -- The acquirer's id of the notification.
  id          text not null,
  received_at timestamptz not null,
  events      int not null,
  primary key (mid_id, id)
);
-- When the last one of a MID came.
create index acquirer_notifications_newest on acquirer_notifications (mid_id, received_at desc);

create table acquirer_events (
  mid_id          uuid not null,
  kind            text not null,
  -- The acquirer's id of the event, which counts once.
  reference       text not null,
  notification_id text not null,
  payment_id      uuid not null,
  event           jsonb not null,
  state           text not null default 'due' check (state in ('due', 'entered', 'failed')),
  tries           int not null default 0,
  due_at          timestamptz,
  received_at     timestamptz not null,
  -- Why it could not be entered yet, or at all.
  note            text,
  lease_until     timestamptz,
  leased_by       int,
  primary key (mid_id, kind, reference)
);
create index acquirer_events_due on acquirer_events (due_at) where state = 'due';
create index acquirer_events_payment on acquirer_events (payment_id);
