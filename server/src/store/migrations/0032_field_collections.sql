-- Which collection the values of hosted fields belong to, so that values of two collections are never charged together, and whether all values
-- of that collection have arrived.
-- Safe while the previous release serves: it writes values without a collection, and reads values without looking at theirs.
alter table sessions add column collection uuid, add column collection_complete boolean not null default false;
alter table session_codes add column collection uuid;
