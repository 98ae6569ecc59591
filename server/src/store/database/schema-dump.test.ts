import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { emptyTestDatabase, testDatabase } from '../../../test/database.ts'
import { dumpSchema } from './schema-dump.ts'

test('schema.sql equals the result of all migrations (otherwise run `npm run db:dump`)', async () => {
  const database = await testDatabase()
  try {
    const fresh = (await dumpSchema(database.pool)).split('\n')
    const committed = (await readFile(new URL('../schema.sql', import.meta.url), 'utf8')).split('\n')
    // Shows only the lines that differ, instead of two whole schemas.
    const at = fresh.findIndex((line, index) => line !== committed[index])
    assert.deepEqual(committed.slice(at, at + 3), fresh.slice(at, at + 3))
    assert.equal(committed.length, fresh.length)
  } finally {
    await database.drop()
  }
})

test('every kind of object that a migration can create appears in the dump', async () => {
  const database = await emptyTestDatabase()
  try {
    await database.pool.query(oneOfEach)
    assert.equal(await dumpSchema(database.pool), oneOfEachDumped)
  } finally {
    await database.drop()
  }
})

const oneOfEach = `
  create type colour as enum ('red', 'green');
  create domain percent as numeric(5, 2) default 0 check (value between 0 and 100);
  create sequence tickets start 100;
  create function one() returns int language sql immutable as 'select 1';
  create table parents (id uuid primary key);
  create table children (
    id        bigint generated always as identity primary key,
    parent_id uuid not null references parents,
    shade     colour not null default 'red',
    share     percent,
    doubled   int generated always as (one() * 2) stored,
    unique (parent_id, shade)
  );
  create table days (day date not null) partition by range (day);
  create table days_2026 partition of days for values from ('2026-01-01') to ('2027-01-01');
  create index children_shade on children (shade) where share > 50;
  create view reds as select id from children where shade = 'red';
  create function refuse() returns trigger language plpgsql as 'begin return null; end';
  create trigger parents_refuse before delete on parents for each row execute function refuse();
`

const oneOfEachDumped = `-- What the migrations add up to. Written by \`npm run db:dump\`; do not edit.

-- Types

create domain percent as numeric(5,2) default 0 CHECK (((VALUE >= (0)::numeric) AND (VALUE <= (100)::numeric)));
create type colour as enum ('red', 'green');

-- Sequences

create sequence tickets as bigint start 100 increment 1;

-- Functions

CREATE OR REPLACE FUNCTION public.one()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$select 1$function$;

CREATE OR REPLACE FUNCTION public.refuse()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$begin return null; end$function$;

-- Tables

create table children (
  id bigint not null generated always as identity,
  parent_id uuid not null,
  shade colour not null default 'red'::colour,
  share percent,
  doubled integer generated always as ((one() * 2)) stored,
  constraint children_pkey PRIMARY KEY (id),
  constraint children_parent_id_shade_key UNIQUE (parent_id, shade),
  constraint children_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES parents(id)
);

create table days (
  day date not null
) partition by RANGE (day);

create table parents (
  id uuid not null,
  constraint parents_pkey PRIMARY KEY (id)
);

-- Partitions

create table days_2026 partition of days FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');

-- Indexes

CREATE INDEX children_shade ON public.children USING btree (shade) WHERE ((share)::numeric > (50)::numeric);

-- Views

create view reds as
 SELECT id
   FROM children
  WHERE (shade = 'red'::colour);

-- Triggers

CREATE TRIGGER parents_refuse BEFORE DELETE ON public.parents FOR EACH ROW EXECUTE FUNCTION refuse();
`
