-- Every process writes its own row now and then: that it can write at all is what health asks (chapter 80 §3), and a worker that stands
-- still is noticed by the others.
--
-- The filler is stored as it is, neither compressed nor moved elsewhere: a row with it does not fit beside the row before it, so that
-- the write needs a new page, as a payment does. A full disk refuses that page, while it would still take a small update in place.
--
-- Safe while the previous release still runs: it does not know the table.
create table process_beats (
  process integer primary key,
  role text not null check (role in ('all', 'api', 'worker')),
  release text not null,
  beat_at timestamptz not null,
  worked_at timestamptz,
  filler bytea
);

alter table process_beats alter column filler set storage plain;
