-- Attempts at the hosted page, counted for all processes together (chapter 30 §7.8, "Abuse"), and the template of a merchant's page
-- (chapter 30 §7.1, "Branding").
--
-- Not logged: what is lost by a crash is an hour's count of attempts, and every attempt would otherwise cost one more flush.
--
-- Safe while the previous release still runs: it counts its own attempts in its own memory, and a branding that it writes keeps the
-- template that the column has, or gets the page's own.
create unlogged table page_attempts (
  address text primary key,
  -- Of the last hour, as of the newest.
  times   timestamptz[] not null,
  newest  timestamptz not null
);
create index page_attempts_newest on page_attempts (newest);

alter table merchant_brandings add column template text not null default 'card';
