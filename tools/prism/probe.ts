/**
 * `node tools/prism/probe.ts FOLDER`: asks the package in FOLDER what it builds for each acquirer and writes
 * `server/src/connectors/prism/table/probed.json`. Sends nothing. PRISM_LOADER is the loader of a newer glibc, if the system's is too old.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { keepHelper, patientLimits } from '#server/connectors/prism/transformer/keeper.ts'
import { planLaunch } from '#server/connectors/prism/transformer/launch.ts'
import { readOptions, runProgram, UsageError } from '../command-line.ts'
import { root } from '../tidy/source-files.ts'
import { configurationFields } from './configuration-fields.ts'
import { probeAcquirer } from './probe-acquirer.ts'

const usage = `Usage: node tools/prism/probe.ts FOLDER [NAME…]

Asks the package hyperswitch-prism in FOLDER what it builds, and writes the table of acquirers.`

const target = join(root, 'server/src/connectors/prism/table/probed.json')

const print = (...words: readonly unknown[]): void => {
  process.stdout.write(`${words.join(' ')}\n`)
}

if (import.meta.main) {
  process.exitCode = await runProgram(usage, async () => {
    const { positionals } = readOptions({ allowPositionals: true })
    const [folder, ...names] = positionals
    if (folder === undefined) throw new UsageError('Give the folder where the package is installed.')
    const loader = process.env.PRISM_LOADER ?? null
    const transformer = keepHelper(() => planLaunch({ folder: resolve(folder), loader }), patientLimits)
    const rows: Record<string, unknown> = {}
    for (const [name, fields] of await configurationFields(resolve(folder))) {
      if (names.length > 0 && !names.includes(name)) continue
      const found = await probeAcquirer(transformer, name, fields)
      if (found.kind === 'row') rows[name] = found.row
      else print(`${name}: ${found.reason}`)
    }
    transformer.close()
    const known: unknown = names.length > 0 ? JSON.parse(await readFile(target, 'utf8')) : {}
    await writeFile(target, `${JSON.stringify({ ...Object(known), ...rows }, null, 2)}\n`)
    print(`${Object.keys(rows).length} acquirers.`)
    return 0
  })
}
