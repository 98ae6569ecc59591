/** The nodes of a distributed database that do not answer, with stand-ins for the catalogue and the function of Citus. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { openPool, type Pool } from '../database/pool.ts'
import { findSilentNodes } from './database-nodes.ts'

let database: TestDatabase
let distributed: Pool
before(async () => {
  database = await testDatabase()
  assert.deepEqual(await findSilentNodes(database.pool), [], 'one server has no nodes')
  await database.pool.query(`
    create table pg_dist_partition as select 'payments'::regclass as logicalrelid;
    create table pg_dist_node (groupid int, nodename text, nodeport int, isactive boolean, noderole text, answer text);
    insert into pg_dist_node values (0, 'coordinator', 5432, true, 'primary', 'no'), (1, 'worker-1', 5432, true, 'primary', 'yes'),
      (2, 'worker-2', 5432, true, 'primary', 'yes'), (2, 'standby-2', 5432, true, 'secondary', 'no'), (3, 'worker-3', 5432, false, 'primary', 'no'),
      (4, 'worker-4', 5433, true, 'primary', 'yes');
    create function citus_check_connection_to_node(text, int default 5432) returns boolean language plpgsql as $$
      declare found text;
      begin
        select answer into found from pg_dist_node where nodename = $1 and nodeport = $2;
        if found = 'late' then perform pg_sleep(30); end if;
        return found = 'yes';
      end $$`)
  distributed = openPool(database.url, { max: 1, applicationName: 'nodes' })
})
after(async () => {
  await distributed.end()
  await database.drop()
})

const answer = (node: string, how: string): Promise<unknown> =>
  database.pool.query('update pg_dist_node set answer = $2 where nodename = $1', [node, how])

test('all nodes answer, and those that hold no payments are not asked', async () => {
  assert.deepEqual(await findSilentNodes(distributed), [])
})

test('a node that refuses is named, and so is the next one', async () => {
  await answer('worker-1', 'no')
  await answer('worker-4', 'no')
  assert.deepEqual(await findSilentNodes(distributed), ['worker-1:5432', 'worker-4:5433'])
})

test('a node that does not answer is named within the time of a health check', async () => {
  await answer('worker-1', 'yes')
  await answer('worker-2', 'late')
  const begun = performance.now()
  assert.deepEqual(await findSilentNodes(distributed), ['worker-2:5432'])
  assert.ok(performance.now() - begun < 2000)
  await answer('worker-2', 'yes')
  await answer('worker-4', 'yes')
  assert.deepEqual(await findSilentNodes(distributed), [])
})
