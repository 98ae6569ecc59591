/**
 * Every kind of wrong wallet token of Chapter 40 §19.2, through the real gateway on both S2S protocols and in both flows, and tokens with
 * one flipped bit. None is accepted, none ends in a failure of ours, and each makes exactly the expected payments.
 */
import { z } from 'zod'
import { addRsaMerchant } from '#server/demo/rsa-merchant.ts'
import { askSimulator } from '../../cli/kit/gateway.ts'
import { type Cell, cellsOf, faultRow, needsOwnInstance, versions } from '../../cli/wallet/matrix-cells.ts'
import { openMatrixScene } from '../../cli/wallet/matrix-merchants.ts'
import { differs, type MatrixScene, type Outcome, runCell } from '../../cli/wallet/matrix-run.ts'
import { type Campaign, type Findings, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import type { Random } from '../stage/random.ts'
import { only, openStage, type Stage } from '../stage/stage.ts'
import { inLanes, instanceOf, line, paymentsOf, sampleCells } from './matrix-cases.ts'
import { overStandIns, sendToStandIns } from './wallet-acquirers.ts'
import { judgeRows } from './wallet-checks-alone.ts'
import { flipBit, hasSameMeaning, openFlippedTokens } from './wallet-flips.ts'

export const walletNegative: Campaign = {
  name: 'wallet-negative',
  asserts: 'invalid wallet tokens of every kind are refused as documented, on every protocol, flow and version.',
  sizes: { cases: 1000, flips: 40_000, sent: 600, lanes: 4 },
  quick: { cases: 60, flips: 400, sent: 30 },
  run,
  plantedFault: {
    what: 'The signature of a wallet B token is not verified.',
    seenIn: 'unexpected results',
    sizes: { cases: 150 },
    patches: [
      {
        file: 'server/src/wallets/tokens/formats/wallet-b-signature.ts',
        find: 'const signer = signers.find((key) => isVerified(signed, key, signature))',
        replace: 'const signer = signers.find((key) => isVerified(signed, key, signature)) ?? signers[0]',
      },
    ],
  },
  overStandIns,
}

async function run(terms: Terms): Promise<Findings> {
  const { random } = terms
  if (terms.standIns) return await sendToStandIns(terms, terms.standIns)
  await using stage = await openStage({
    apis: 1,
    workers: 1,
    threeDs: true,
    sharedAuthority: true,
    database: terms.database,
  })
  await using instance = await instanceOf(stage)
  await addRsaMerchant(instance, stage.sandbox.url)
  const scene = await openMatrixScene(instance, only(stage.apis).url)
  const { faults } = await askSimulator(scene.url, '/faults', z.object({ faults: z.array(faultRow) }))
  const all = cellsOf(faults)
  const cells = all.length <= sizeOf(terms, 'cases') ? all : sampleCells(random, all, sizeOf(terms, 'cases'))
  const lanes = sizeOf(terms, 'lanes')
  const outcomes = await inLanes(cells, lanes, (cell, index) => runCell(scene, cell, index))
  const alone = await judgeRows(stage.sandbox.url, faults.filter(needsOwnInstance), instance.clock.now())
  const other = alone.filter(({ expected, actual }) => expected !== actual)
  return joinFindings(
    {
      figures: [
        { name: 'rows of the table', value: new Set(faults.map(({ number }) => number)).size },
        { name: 'cases sent', value: outcomes.length },
        { name: 'unexpected results', value: outcomes.filter(differs).length, must: 0 },
        { name: 'answers with 5xx', value: outcomes.filter(({ http }) => http >= 500).length, must: 0 },
        { name: 'extra or missing payments', value: await countUnexpectedPayments(stage, outcomes), must: 0 },
        { name: 'cases run against the checks only', value: alone.length },
        { name: 'of them unexpected', value: other.length, must: 0 },
      ],
      faults: [
        ...outcomes.filter(differs).map(line),
        ...other.map(({ name, expected, actual }) => `${name}: ${actual} instead of ${expected}`),
      ],
    },
    await sendFlippedTokens(scene, random, sizeOf(terms, 'sent'), lanes),
    openFlippedTokens(random, sizeOf(terms, 'flips')),
  )
}

/** Refused tokens make no payment, the others one each; earlier sends of replayed and repeated ones count as well. */
async function countUnexpectedPayments({ pool }: Stage, outcomes: readonly Outcome[]): Promise<number> {
  const { rows } = await pool.query<{ made: number }>('select count(*)::int as made from payments')
  const wanted = outcomes.reduce((sum, { cell }) => sum + paymentsOf(cell), 0)
  return Math.abs((rows[0]?.made ?? 0) - wanted)
}

type Route = Pick<Cell, 'protocol' | 'flow'>

const routes: readonly [Route, ...Route[]] = [
  { protocol: 's2s-card', flow: 'card' },
  { protocol: 's2s-apm', flow: 'card' },
  { protocol: 's2s-apm', flow: 'virtual' },
]

async function sendFlippedTokens(scene: MatrixScene, random: Random, count: number, lanes: number): Promise<Findings> {
  const altered = Array.from({ length: count }, () => alterCell(random))
  const outcomes = await inLanes(altered, lanes, ({ cell }, index) =>
    runCell({ ...scene, runId: `${scene.runId}F` }, cell, index),
  )
  const taken = outcomes.filter(({ actual }, index) => actual === 'passes' && altered[index]?.same() !== true)
  const unsigned = outcomes.filter(({ actual }) => actual === 'passes').length - taken.length
  return {
    figures: [
      { name: 'bits flipped, through the gateway', value: count },
      { name: 'of them in unsigned parts', value: unsigned },
      { name: 'altered tokens accepted by the gateway', value: taken.length, must: 0 },
      { name: 'answered with 5xx', value: outcomes.filter(({ http }) => http >= 500).length, must: 0 },
    ],
    faults: taken.map(line),
  }
}

/** `same` says afterwards whether the bit was in an unsigned part. */
function alterCell(random: Random): { readonly cell: Cell; readonly same: () => boolean } {
  const { protocol, flow } = random.pick(routes)
  let same = (): boolean => false
  const rewrite = (token: string): string => {
    const text = flipBit(random, token)
    same = () => hasSameMeaning(token, text, flow)
    return text
  }
  const version = random.pick(versions)
  const way = { kind: 'rewritten', rewrite } as const
  const cell: Cell = { number: 0, name: 'bit turned', protocol, flow, version, expected: 'passes', check: null, way }
  return { cell, same: () => same() }
}
