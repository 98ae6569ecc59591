-- When a payer's browser first opened the hosted page of a session: the funnel tells those who never came from those who left. Chapter 70 §6.
--
-- Safe while the previous release serves: a column more, null until this release writes it.
alter table sessions add column opened_at timestamptz;
