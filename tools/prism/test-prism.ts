/**
 * `npm run test:prism [NAME…]`: takes every acquirer of the family through every flow that it claims, with the real package and against a stub. The
 * package is installed into `.runtime/prism` and, if the system's glibc is too old, a newer one beside it from Debian's packages.
 */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { playExchange } from '#server/connectors/prism/testing/play.ts'
import { readFixtures } from '#server/connectors/prism/testing/recorded.ts'
import { keepHelper, patientLimits } from '#server/connectors/prism/transformer/keeper.ts'
import { planLaunch } from '#server/connectors/prism/transformer/launch.ts'
import type { Transformer } from '#server/connectors/prism/transformer/transformer.ts'
import { readOptions, runProgram } from '../command-line.ts'
import { root } from '../tidy/source-files.ts'
import { askDoctor } from './doctor-trial.ts'
import { ensureLoader, ensurePackage } from './ensure-package.ts'
import { type Cell, columnNames, playAcquirer, playedRows } from './flow-table.ts'
import { killHelpers } from './helper-trial.ts'
import { knownRedCells } from './known-red-cells.ts'
import { buyInShop } from './shop-trial.ts'
import { tryStandIns } from './stand-in-trial.ts'

const usage = `Usage: npm run test:prism [NAME…] [-- --pictures FOLDER]

Plays every flow of the acquirers of the family prism, or of those named, with the package and against a stub. Without names it also kills the helper
process at every step of a payment, and buys in the demo shop with a browser.

  --pictures FOLDER  writes pictures of the shop's and the acquirers' pages`

const marks: Readonly<Record<Cell['result'], string>> = { passed: 'ok', absent: '-', failed: 'RED' }

if (import.meta.main) {
  process.exitCode = await runProgram(usage, async () => {
    const { positionals, values } = readOptions({
      allowPositionals: true,
      options: { pictures: { type: 'string' } },
    })
    const { pictures } = values
    const folder = join(root, '.runtime/prism')
    await ensurePackage(folder, print)
    const loader = await ensureLoader(join(root, '.runtime/glibc'), print)
    const helper = keepHelper(() => planLaunch({ folder, loader }), patientLimits)
    const { version, glibc } = await helper.greet()
    print(`Package ${version}${glibc === null ? '' : `, glibc ${glibc}`}.`)
    const red = [
      ...(await playTable(helper, positionals)),
      ...(await playFixtures(helper, positionals)),
      ...(await tryStandIns(helper)),
      ...(await askDoctor({ folder, loader }, print)),
      ...(positionals.length === 0 ? await killHelpers({ folder, loader }, print) : []),
      ...(positionals.length === 0 ? await buyInShop({ folder, loader, pictures }) : []),
    ]
    helper.close()
    for (const line of red) print(line)
    print(red.length === 0 ? 'No red cell without a reason.' : `${red.length} red cells without a reason.`)
    return red.length === 0 ? 0 : 1
  })
}

/** Prints the table; returns the red cells without a named reason. */
async function playTable(helper: Transformer, names: readonly string[]): Promise<readonly string[]> {
  const rows = playedRows(names)
  const red: string[] = []
  print(['acquirer'.padEnd(22), ...columnNames.map((flow) => flow.padEnd(10))].join(''))
  for (const row of rows) {
    const cells = await playAcquirer(helper, row)
    print([row.name.padEnd(22), ...cells.map(({ result }) => marks[result].padEnd(10))].join('').trimEnd())
    for (const { flow, reason } of cells.filter(({ result }) => result === 'failed')) {
      const known = knownRedCells[`${row.name} ${flow}`]
      print(`  ${row.name} ${flow}: ${reason}${known === undefined ? '' : `; known: ${known}`}`)
      if (known === undefined) red.push(`${row.name} ${flow}: ${reason}`)
    }
  }
  print(`${rows.length} acquirers.`)
  return red
}

/** Whether the package still reads the acquirers' documented replies as it did when they were recorded. */
async function playFixtures(helper: Transformer, names: readonly string[]): Promise<readonly string[]> {
  const red: string[] = []
  for (const [file, fixture] of await readFixtures()) {
    if (names.length > 0 && !names.includes(file.replace('.json', ''))) continue
    for (const exchange of fixture.exchanges) {
      const { outcome } = await playExchange(fixture, exchange, { ...helper, close: () => undefined })
      if (!isDeepStrictEqual(JSON.parse(JSON.stringify(outcome)), exchange.outcome))
        red.push(`${file} ${exchange.title}: ${JSON.stringify(outcome)}`)
    }
  }
  return red
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
