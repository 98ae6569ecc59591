-- Names and passwords of callback addresses are sealed and kept here; the addresses in other tables have a reference in their place.
-- Addresses that were stored before stay as they are and are delivered to as before, until "gatehouse callbacks seal" or the next change.
--
-- Safe while the previous release serves: it reads and writes none of this. A callback whose address was sealed meanwhile it sends with the
-- reference in place of the credentials; the receiver refuses it, and the retry plan sends it again.
--
-- Without a foreign key: a merchant's credentials are sealed before its row is written, as its passwords are.
create table callback_credentials (
  merchant_id uuid not null,
  id          uuid not null,
  sealed      bytea not null,
  created_at  timestamptz not null,
  primary key (merchant_id, id)
);

-- Timeouts are counted by the address without credentials and query from now on. What was counted by the whole address lasts a quarter of
-- an hour at most, and may hold credentials.
delete from callback_urls;

-- Requests that were under way when an operator lifted a block do not count towards the next one.
alter table callback_urls add column unblocked_at timestamptz;
