-- Notes and tags that people write on payments (chapter 70 §5).
--
-- Safe while the previous release serves: it knows neither table. What it erases or removes leaves the notes, until the next erasure of the
-- same payer or the next removal of a month.
create table payment_notes (
  merchant_id uuid        not null,
  payment_id  uuid        not null,
  id          uuid        not null,
  text        text        not null check (length(text) between 1 and 2000),
  author      text        not null,
  written_at  timestamptz not null,
  primary key (merchant_id, payment_id, id)
);

create table payment_tags (
  merchant_id uuid        not null,
  payment_id  uuid        not null,
  tag         text        not null check (tag ~ '^[a-z0-9][a-z0-9._-]{0,39}$'),
  author      text        not null,
  tagged_at   timestamptz not null,
  primary key (merchant_id, payment_id, tag)
);

create index payment_tags_tag on payment_tags (tag, payment_id);
