/** `wallet matrix`: every negative case of the wallets against a running sandbox instance. Chapter 40 §19.2, §20.3. */
import { z } from 'zod'
import { about } from '#server/admin/merchants.ts'
import { furnishRsaMerchant, rsaMerchant } from '#server/demo/rsa-merchant.ts'
import { removeMatrixTraces } from '#server/store/matrix-traces.ts'
import { command } from '../kit/command.ts'
import { type Output, printJson } from '../kit/context.ts'
import { askSimulator, gatewayUrl } from '../kit/gateway.ts'
import { type Instance, openInstance } from '../kit/instance.ts'
import { flag, list, value } from '../kit/options.ts'
import * as readers from '../kit/readers.ts'
import { table } from '../kit/table.ts'
import { type Cell, cellsOf, type FaultRow, faultRow, needsOwnInstance, versions } from '../wallet/matrix-cells.ts'
import { matrixMerchantIds, matrixScene, requiredSandbox } from '../wallet/matrix-merchants.ts'
import { differs, type MatrixScene, type Outcome, ordersOf, runCell } from '../wallet/matrix-run.ts'

const options = {
  protocol: value('NAME', 's2s-card or s2s-apm; both unless given.', readers.oneOf(['s2s-card', 's2s-apm'])),
  version: list('NAME', 'Only tokens of these versions.', readers.oneOf(versions)),
  only: list(
    'N',
    'Only rows with these numbers; 0 are the accepted and the configuration cases.',
    readers.wholeNumber(0, 999),
  ),
  list: flag('Lists the faults that tokens can have, and sends nothing.'),
  keep: flag('Keeps the records of the refused tokens, and the alarms that they raised.'),
  all: flag('Prints every case, not only those that differ.'),
  url: value('URL', 'The service, when it is not the one of this instance.', readers.webAddress),
  json: flag('Prints JSON.'),
}

export const walletMatrix = command({
  name: 'wallet matrix',
  sandboxOnly: 'It has no simulator; only devices make tokens for it.',
  changes: true,
  summary: 'Sends every kind of wrong wallet token to a running sandbox instance and compares the answers.',
  details:
    'Each case is sent on every protocol, in every flow and version that it applies to; the answer and the check that refused are\n' +
    'held against the table. Ends with 1 when one differs. A merchant with an RSA key, demo-wallet-rsa, is made when it is missing.\n' +
    'Tokens made for wrong keys raise alarms, as they should; those of the run are taken back in the end, and so are the records of its\n' +
    'refused tokens, unless --keep is given: "wallet why ORDER" then explains each.',
  args: {},
  options,
  examples: ['gatehouse wallet matrix', 'gatehouse wallet matrix --only 44,45,46 --protocol s2s-card --all'],
  async run({ output, ...context }, _args, given) {
    const { protocol, version, only, list: listing, keep = false, all = false, url, json = false } = given
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
    await furnish(instance)
    const since = instance.clock.now()
    const scene = await matrixScene(instance, address)
    const outcomes = await runAll(scene, cellsOf(faults).filter(wanted), output)
    if (!keep) await takeBack(instance, { orders: ordersOf(scene.runId), since }, output)
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

/** Written and noted only when it is missing. */
async function furnish(instance: Instance): Promise<void> {
  const sandbox = await requiredSandbox(instance)
  await instance.change(async (desk) => {
    const id = await furnishRsaMerchant(desk, sandbox)
    if (id !== null) desk.note({ ...about('merchant.create', id), after: rsaMerchant })
  })
}

/** The refusals and alarms of the run are no news: nobody's keys are wrong. */
async function takeBack(
  instance: Instance,
  run: { readonly orders: string; readonly since: Date },
  { err }: Output,
): Promise<void> {
  const merchantIds = await matrixMerchantIds(instance)
  await instance.change(async (desk) => {
    const removed = await removeMatrixTraces(desk.pool, { ...run, merchantIds }, desk.clock.now())
    desk.note({ action: 'wallet.matrix', subject: 'wallet matrix', merchantId: null, after: removed })
    const { refusedTokens, alarms } = removed
    err(`Taken back: the records of ${refusedTokens} refused tokens, and ${alarms} alarms that they raised.`)
    err('Sandbox payments of the genuine tokens stay: the record of money is never removed.')
  })
}

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
