/** `wallet matrix`: every negative case of the wallets against a running sandbox instance. Chapter 40 §19.2, §20.3. */
import { z } from 'zod'
import { addRsaMerchant, rsaMerchant } from '#server/demo/rsa-merchant.ts'
import { merchantAudit } from '#server/panel/setup/merchants.ts'
import { removeMatrixTraces } from '#server/store/wallets/matrix-traces.ts'
import { command } from '../../kit/command.ts'
import { type Output, printJson } from '../../kit/context.ts'
import { askSimulator, findGatewayUrl } from '../../kit/gateway.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { flag, list, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'
import { type Cell, cellsOf, type FaultRow, faultRow, needsOwnInstance, versions } from '../../wallet/matrix-cells.ts'
import { listMatrixMerchantIds, openMatrixScene, requireSandboxUrl } from '../../wallet/matrix-merchants.ts'
import { differs, type MatrixScene, type Outcome, ordersOf, runCell } from '../../wallet/matrix-run.ts'

const options = {
  protocol: value('NAME', 's2s-card or s2s-apm; default: both.', readers.oneOf(['s2s-card', 's2s-apm'])),
  version: list('NAME', 'Only tokens of these versions.', readers.oneOf(versions)),
  only: list(
    'N',
    'Only rows with these numbers; 0 selects the accepted and configuration cases.',
    readers.wholeNumber(0, 999),
  ),
  list: flag('Lists the possible token faults without sending anything.'),
  keep: flag('Keeps the records of refused tokens and the alerts they raised.'),
  all: flag('Prints every case, not only unexpected results.'),
  url: value('URL', 'Address of the service; default: the service of this instance.', readers.webAddress),
  json: flag('Prints JSON.'),
}

export const walletMatrix = command({
  name: 'wallet matrix',
  sandboxOnly: 'A live instance has no simulator.',
  changes: true,
  summary: 'Sends every kind of invalid wallet token to a running sandbox instance and compares the answers.',
  details:
    'Each case is sent on every protocol, in every flow and version it applies to; the answer and the failed check are compared\n' +
    'with the table. Exits with code 1 if a result differs. Creates the merchant demo-wallet-rsa, with an RSA key, if it is missing.\n' +
    'Tokens for wrong keys raise alerts. At the end the run removes its alerts and the records of its refused tokens; --keep keeps\n' +
    'them.',
  args: {},
  options,
  examples: ['gatehouse wallet matrix', 'gatehouse wallet matrix --only 44,45,46 --protocol s2s-card --all'],
  async run({ output, ...context }, _args, options) {
    const { protocol, version, only, list: listing, keep = false, all = false, url, json = false } = options
    await using instance = await openInstance({ ...context, output })
    const address = url ?? (await findGatewayUrl(instance.config))
    const { faults } = await askSimulator(address, '/faults', z.object({ faults: z.array(faultRow) }))
    if (listing) {
      output.out(faultTable(faults))
      return
    }
    const isWanted = (cell: Cell): boolean =>
      (protocol === undefined || cell.protocol === protocol) &&
      (version === undefined || version.includes(cell.version)) &&
      (only === undefined || only.includes(cell.number))
    await ensureRsaMerchant(instance)
    const since = instance.clock.now()
    const scene = await openMatrixScene(instance, address)
    const outcomes = await runAll(scene, cellsOf(faults).filter(isWanted), output)
    if (!keep) await removeTraces(instance, { orders: ordersOf(scene.runId), since }, output)
    const different = outcomes.filter(differs)
    if (json) printJson(output, outcomes.map(membersOf))
    else output.out(report(all ? outcomes : different, outcomes.length, different.length))
    reportSkippedRows(
      output,
      faults.filter(needsOwnInstance).filter(({ number }) => only?.includes(number) ?? true),
    )
    return different.length === 0 ? 0 : 1
  },
})

/** Creates the RSA merchant, with an audit entry, only if it is missing. */
async function ensureRsaMerchant(instance: Instance): Promise<void> {
  const sandbox = await requireSandboxUrl(instance)
  await instance.change(async (change) => {
    const id = await addRsaMerchant(change, sandbox)
    if (id !== null) change.note({ ...merchantAudit('merchant.create', id), after: rsaMerchant })
  })
}

/** Removes the refusals and alerts of the run: they are expected, and would look like real key problems. */
async function removeTraces(
  instance: Instance,
  run: { readonly orders: string; readonly since: Date },
  { err }: Output,
): Promise<void> {
  const merchantIds = await listMatrixMerchantIds(instance)
  await instance.change(async (change) => {
    const removed = await removeMatrixTraces(change.pool, { ...run, merchantIds }, change.clock.now())
    change.note({ action: 'wallet.matrix', subject: 'wallet matrix', merchantId: null, after: removed })
    const { refusedTokens, alerts } = removed
    err(`Removed: the records of ${refusedTokens} refused tokens and the ${alerts} alerts they raised.`)
    err('Sandbox payments of valid tokens stay: payments are never removed.')
  })
}

/** Few enough to stay below the rate limit. */
const lanes = 4
const progressEvery = 50

async function runAll(scene: MatrixScene, cells: readonly Cell[], { err }: Output): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  const waiting = cells.entries()
  const runLane = async (): Promise<void> => {
    for (const [index, cell] of waiting) {
      outcomes[index] = await runCell(scene, cell, index)
      const done = outcomes.filter((outcome) => outcome !== undefined).length
      if (done % progressEvery === 0) err(`${done} of ${cells.length} …`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
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

function reportSkippedRows({ err }: Output, left: readonly FaultRow[]): void {
  if (left.length === 0) return
  const numbers = left.map(({ number }) => number).join(', ')
  err(`Note: rows ${numbers} need an instance of their own; run them with "npm run test:campaign -- wallet-negative".`)
}
