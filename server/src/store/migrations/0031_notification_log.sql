-- What operators see of acquirers' notifications: refused ones counted by day, and the events of a notification.
-- Safe while the previous release serves: it does not know the table, and the indexes are on tables that it only inserts into.

create table refused_notifications (
  mid_id  uuid not null,
  -- UTC.
  day     date not null,
  refused bigint not null,
  last_at timestamptz not null,
  -- Why the last one was not verified.
  reason  text not null,
  primary key (mid_id, day)
);

create index acquirer_events_notification on acquirer_events (mid_id, notification_id);
create index acquirer_events_failed on acquirer_events (received_at) where state = 'failed';
