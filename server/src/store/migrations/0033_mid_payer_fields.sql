-- What the hosted page asks a card payer for, because the acquirer of a MID wants it.
-- Safe while the previous release serves: it does not know the column, and asks for the card and its holder's name only.
alter table mids add column payer_fields text[] not null default '{}';
