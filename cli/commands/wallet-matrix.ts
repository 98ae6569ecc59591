/** `wallet matrix`: every negative case of the wallets against a running sandbox instance. Chapter 40 §19.2, §20.3. */
import { z } from 'zod'
import { command } from '../kit/command.ts'
import { type Output, printJson } from '../kit/context.ts'
import { askSimulator, gatewayUrl } from '../kit/gateway.ts'
import { openInstance } from '../kit/instance.ts'
import { flag, list, value } from '../kit/options.ts'
import * as readers from '../kit/readers.ts'
import { table } from '../kit/table.ts'
import { type Cell, cellsOf, type FaultRow, faultRow, needsOwnInstance, versions } from '../wallet/matrix-cells.ts'
import { matrixScene } from '../wallet/matrix-merchants.ts'
import { differs, type MatrixScene, type Outcome, runCell } from '../wallet/matrix-run.ts'

const options = {
  protocol: value('NAME', 's2s-card or s2s-apm; both unless given.', readers.oneOf(['s2s-card', 's2s-apm'])),
  version: list('NAME', 'Only tokens of these versions.', readers.oneOf(versions)),
  only: list(
    'N',
    'Only rows with these numbers; 0 are the accepted and the configuration cases.',
    readers.wholeNumber(0, 999),
  ),
  list: flag('Lists the faults that tokens can have, and sends nothing.'),
  all: flag('Prints every case, not only those that differ.'),
  url: value('URL', 'The service, when it is not the one of this instance.', readers.webAddress),
  json: flag('Prints JSON.'),
}

export const walletMatrix = command({
  name: 'wallet matrix',
  summary: 'Sends every kind of wrong wallet token to a running sandbox instance and compares the answers.',
  details:
    'Each case is sent on every protocol, in every flow and version that it applies to; the answer and the check that refused are\n' +
    'held against the table. Ends with 1 when one differs. A merchant with an RSA key, demo-wallet-rsa, is made when it is missing.',
  args: {},
  options,
  examples: ['gatehouse wallet matrix', 'gatehouse wallet matrix --only 44,45,46 --protocol s2s-card --all'],
  async run({ output, ...context }, _args, { protocol, version, only, list: listing, all = false, url, json = false }) {
    await using instance = await openInstance({ ...context, output })
    const address = url ?? (await gatewayUrl(instance.config))
    const { faults } = await askSimulator(address, '/faults', z.object({ faults: z.array(faultRow) }))
    if (listing) {
      output.out(faultTable(faults))
      return
    }
    const wanted = (cell: Cell): boolean =>
      (protocol === undefined || cell.protocol === protocol) &&
      (version === undefined || version.includes(cell.version)) &&
      (only === undefined || only.includes(cell.number))
    const scene = await matrixScene(instance, address)
    const outcomes = await runAll(scene, cellsOf(faults).filter(wanted), output)
    const different = outcomes.filter(differs)
    if (json) printJson(output, outcomes.map(membersOf))
    else output.out(report(all ? outcomes : different, outcomes.length, different.length))
    tellOthers(
      output,
      faults.filter(needsOwnInstance).filter(({ number }) => only?.includes(number) ?? true),
    )
    return different.length === 0 ? 0 : 1
  },
})

/** A few at a time: enough to be quick, too few to meet the rate limit. */
const lanes = 4
const progressEvery = 50

async function runAll(scene: MatrixScene, cells: readonly Cell[], { err }: Output): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  const waiting = cells.entries()
  const lane = async (): Promise<void> => {
    for (const [index, cell] of waiting) {
      outcomes[index] = await runCell(scene, cell, index)
      const done = outcomes.filter((outcome) => outcome !== undefined).length
      if (done % progressEvery === 0) err(`${done} of ${cells.length} …`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return outcomes
}

function report(shown: readonly Outcome[], total: number, different: number): string {
  const headings = ['row', 'case', 'protocol', 'flow', 'version', 'expected', 'actual', '']
  const rows = shown.map((outcome) => {
    const { number, name, protocol, flow, version } = outcome.cell
    return [
      number,
      name,
      protocol,
      flow,
      version,
      outcome.expected,
      outcome.actual,
      differs(outcome) ? 'DIFFERS' : 'ok',
    ]
  })
  const sum = `${total} cases, ${total - different} as expected, ${different} different.`
  return rows.length === 0 ? sum : `${table(headings, rows)}\n\n${sum}`
}

const membersOf = (outcome: Outcome) => {
  const { cell, expected, actual, http } = outcome
  const { number, name, protocol, flow, version } = cell
  return { row: number, case: name, protocol, flow, version, expected, actual, http, ok: !differs(outcome) }
}

function faultTable(faults: readonly FaultRow[]): string {
  const rows = faults.map(({ number, fault, versions: of, card, virtual }) => [number, fault, of, card, virtual])
  return table(['row', 'fault', 'versions', 'card flow', 'virtual flow'], rows)
}

function tellOthers({ err }: Output, left: readonly FaultRow[]): void {
  if (left.length === 0) return
  const numbers = left.map(({ number }) => number).join(', ')
  err(`Note: rows ${numbers} need an instance of their own; "npm run test:campaign -- wallet-negative" has them.`)
}
