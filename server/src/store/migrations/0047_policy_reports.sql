-- What browsers report about violations of the content security policy of payers' pages, counted, for the panel.
--
-- Safe while the previous release serves: it does not know the table.
create table policy_reports (
  rule     text        not null check (length(rule) <= 200),
  blocked  text        not null check (length(blocked) <= 200),
  page     text        not null check (length(page) <= 200),
  source   text        not null check (length(source) <= 200),
  reports  bigint      not null check (reports > 0),
  first_at timestamptz not null,
  last_at  timestamptz not null,
  primary key (rule, blocked, page, source)
);

create index policy_reports_by_time on policy_reports (last_at);
