/** `npm run db:dump`: writes the schema that results from the migrations, so that reviews and tests see its changes. */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { dumpSchema } from '#server/store/database/schema-dump.ts'
import { testDatabase } from '../server/test/database.ts'
import { readOptions, runProgram } from './command-line.ts'

const file = new URL('../server/src/store/schema.sql', import.meta.url)

const usage = `Usage: npm run db:dump

Writes server/src/store/schema.sql, the schema that results from the migrations.`

process.exitCode = await runProgram(usage, async () => {
  readOptions({})
  const database = await testDatabase()
  try {
    await writeFile(file, await dumpSchema(database.pool))
  } finally {
    await database.drop()
  }
  process.stdout.write(`Wrote ${fileURLToPath(file)}.\n`)
  return 0
})
