/** Mappings that exist keep payouts and session updates by token; mappings that are made later have neither. See decisions/requests#payouts. */
import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { emptyTestDatabase } from '../../../test/database.ts'
import { migrate } from '../database/migrate.ts'
import { protocolMappingStore } from './protocol-mappings.ts'

const migrations = new URL('../migrations/', import.meta.url)
const folder = await mkdtemp(join(tmpdir(), 'payouts-'))
const database = await emptyTestDatabase()
const { pool } = database
after(async () => {
  await rm(folder, { recursive: true, force: true })
  await database.drop()
})

test('the options of stored mappings stay as they are, with what their merchants could do', async () => {
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).sort()
  for (const file of files.slice(0, files.indexOf('0079_payouts_and_session_updates.sql')))
    await copyFile(new URL(file, migrations), join(folder, file))
  await migrate(pool, { directory: pathToFileURL(`${folder}/`) })
  await pool.query('alter table protocol_mappings drop constraint protocol_mappings_merchant_id_fkey')
  const merchantId = '00000000-0000-4000-8000-000000000001'
  const put = protocolMappingStore(pool).put
  await put({ merchantId, protocol: 'S2S_CARD', enabled: true, options: { digest: 'sha256' } })
  await put({ merchantId, protocol: 'S2S_APM', enabled: false, options: { payouts: false } })
  await put({ merchantId, protocol: 'CHECKOUT', enabled: true, options: {} })

  await copyFile(
    new URL('0079_payouts_and_session_updates.sql', migrations),
    join(folder, '0079_payouts_and_session_updates.sql'),
  )
  await migrate(pool, { directory: pathToFileURL(`${folder}/`) })
  const stored = await protocolMappingStore(pool).list()
  assert.deepEqual(Object.fromEntries(stored.map(({ protocol, options }) => [protocol, options])), {
    S2S_CARD: { digest: 'sha256', payouts: true },
    S2S_APM: { payouts: false },
    CHECKOUT: { payouts: true, sessionUpdate: 'token' },
  })
})
