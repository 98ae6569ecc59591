import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../server/test/database.ts'
import { checkDistribution } from './distribution.ts'

test('doctor says of a distributed database which servers do not answer, and that each is backed up', async () => {
  const [plain, distributed] = [await testDatabase(), await testDatabase()]
  assert.deepEqual(await checkDistribution(plain.pool), [])
  await distributed.pool.query(`
    create table pg_dist_partition as select 'payments'::regclass as logicalrelid;
    create table pg_dist_node (groupid int, nodename text, nodeport int, isactive boolean, noderole text);
    insert into pg_dist_node values (1, 'worker-1', 5432, true, 'primary');
    create function citus_check_connection_to_node(text, int) returns boolean language sql as 'select exists (select 1 from pg_dist_node where groupid = 1)'`)
  const [well] = await checkDistribution(distributed.pool)
  assert.equal(well?.level, 'ok')
  assert.match(well?.text ?? '', /Each needs base backups and an archived log/)
  await distributed.pool.query('update pg_dist_node set groupid = 2')
  const [silent] = await checkDistribution(distributed.pool)
  assert.equal(silent?.level, 'problem')
  assert.match(silent?.text ?? '', /worker-1:5432/)
  await plain.drop()
  await distributed.drop()
})
