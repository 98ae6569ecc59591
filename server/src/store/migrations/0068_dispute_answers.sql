-- Answers to disputes: by whom and when each was given, whether it goes to the acquirer through its API, and what became of it. An answer that may be on its
-- way at the acquirer is the only one of its dispute. case_reference is the acquirer's own reference of the dispute, by which it is answered; kind is
-- what a file of evidence shows.
--
-- Safe while the previous release serves: it does not know the table and the columns, and what it writes has their defaults. It may change an answer that
-- is on its way; the acquirer's report shows what arrived.
alter table disputes add column case_reference text;
alter table dispute_files add column kind text not null default 'other';

create table dispute_answers (
  merchant_id uuid not null,
  dispute_id uuid not null,
  id uuid not null,
  answer text not null check (answer in ('accepted', 'contested')),
  way text not null check (way in ('acquirer', 'hand')),
  state text not null check (state in ('waiting', 'sending', 'taken', 'refused', 'unknown')),
  reason text,
  note text,
  requested_by text not null,
  requested_at timestamptz not null,
  sent_at timestamptz,
  ended_at timestamptz,
  tries integer not null default 0,
  next_at timestamptz,
  lease_until timestamptz,
  primary key (merchant_id, dispute_id, id),
  foreign key (merchant_id, dispute_id) references disputes (merchant_id, id)
);
create unique index dispute_answers_open on dispute_answers (merchant_id, dispute_id) where state in ('waiting', 'sending', 'unknown');
create index dispute_answers_due on dispute_answers (next_at) where next_at is not null;
