/**
 * The cases of the wallet matrix over the stand-ins of real acquirers: what passes is charged once by the acquirer, decrypted or as the token it
 * was, and what is refused never reaches it. Chapter 60 §1.1, "Wallets".
 */
import { z } from 'zod'
import { protocols } from '#domain/merchant.ts'
import { wallets } from '#domain/mid.ts'
import type { ProcessContext } from '#server/assembly/process-context.ts'
import type { Support } from '#server/connectors/connector.ts'
import { connectorById } from '#server/connectors/registry.ts'
import { everything, modes } from '#server/demo/demo-tables.ts'
import { createMerchant } from '#server/setup/merchants.ts'
import { createMid, linkMerchant } from '#server/setup/mids.ts'
import { protocolMappingStore } from '#server/store/configuration/protocol-mappings.ts'
import { enableForTesting } from '#server/wallets/setup/enable-wallet.ts'
import { askSimulator } from '../../cli/kit/gateway.ts'
import { type Cell, cellsOf, faultRow, walletOfVersion } from '../../cli/wallet/matrix-cells.ts'
import { type MatrixNames, openMatrixScene } from '../../cli/wallet/matrix-merchants.ts'
import { differs, runCell } from '../../cli/wallet/matrix-run.ts'
import { type Findings, type StandInForm, sizeOf, type Terms } from '../campaign.ts'
import { only, openStage, type Stage } from '../stage/stage.ts'
import { inLanes, instanceOf, line, paymentsOf, sampleCells } from './matrix-cases.ts'

export const overStandIns: StandInForm = {
  sizes: { cases: 120, lanes: 4 },
  quick: { cases: 16, lanes: 4 },
  plantedFault: {
    what: 'The signature of a wallet B token is not verified.',
    seenIn: 'refused tokens that an acquirer charged',
    sizes: { cases: 60 },
    patches: [
      {
        file: 'server/src/wallets/tokens/formats/wallet-b-signature.ts',
        find: 'const signer = signers.find((key) => isVerified(signed, key, signature))',
        replace: 'const signer = signers.find((key) => isVerified(signed, key, signature)) ?? signers[0]',
      },
    ],
  },
}

type StandIn = Stage['standIns']['running'][number]

export async function sendToStandIns(terms: Terms, names: readonly string[]): Promise<Findings> {
  const takers = names.filter((name) => takesWallets(supportOf(name)))
  await using stage = await openStage({
    apis: 1,
    workers: 1,
    threeDs: true,
    sharedAuthority: true,
    database: terms.database,
    standIns: takers,
  })
  await using instance = await instanceOf(stage)
  // All before the first token, so that the gateway knows them by then.
  for (const standIn of stage.standIns.running) await addMerchants(instance, stage.sandbox.url, standIn)
  const parts: Part[] = []
  for (const standIn of stage.standIns.running) parts.push(await sendTo(stage, instance, standIn, terms))
  const sum = (countOf: (part: Part) => number): number => parts.reduce((total, part) => total + countOf(part), 0)
  const wrong = parts.flatMap((part) => part.wrong)
  return {
    figures: [
      ...parts.flatMap(({ connector, sent, charges }) => [
        { name: `${connector}: cases sent`, value: sent },
        { name: `${connector}: charged by the acquirer`, value: charges },
      ]),
      { name: 'unexpected results', value: wrong.length, must: 0 },
      {
        name: 'accepted tokens that no acquirer charged',
        value: sum(({ wanted, charges }) => Math.max(0, wanted - charges)),
        must: 0,
      },
      {
        name: 'refused tokens that an acquirer charged',
        value: sum(({ wanted, charges }) => Math.max(0, charges - wanted)),
        must: 0,
      },
    ],
    faults: [...wrong, ...(await listUncharged(stage))],
  }
}

/** How accepted tokens ended that were not charged. */
async function listUncharged({ pool }: Stage): Promise<readonly string[]> {
  const { rows } = await pool.query<{ text: string }>(
    `select mids.name || ': ' || count(*) || ' ' || status || ', ' || coalesce(transactions.decline_reason, 'no reason') as text
     from payments join transactions on transactions.merchant_id = payments.merchant_id and payment_id = payments.id
     join mids on mids.id = payments.mid_id
     where mids.name like 'wallet-%' and status <> 'SETTLED' group by mids.name, status, transactions.decline_reason`,
  )
  return rows.map(({ text }) => text)
}

interface Part {
  readonly connector: string
  readonly sent: number
  /** Charges that the cases must lead to, and those that the acquirer recorded. */
  readonly wanted: number
  readonly charges: number
  readonly wrong: readonly string[]
}

const supportOf = (name: string): Support | undefined => connectorById(name)?.supports

const takesWallets = (supports: Support | undefined): boolean =>
  supports !== undefined && (supports.acceptsDecrypted || supports.passesTokens)

/** Wallet B encrypts for one gateway; this one takes a token that is passed on only if it was encrypted for itself. */
const ownGateway: ReadonlySet<string> = new Set(['stripe'])

function isPossible({ flow, version }: Cell, connector: string): boolean {
  const supports = supportOf(connector)
  if (flow === 'card') return supports?.acceptsDecrypted === true
  return supports?.passesTokens === true && (walletOfVersion(version) === 'walletapay' || !ownGateway.has(connector))
}

async function sendTo(
  stage: Stage,
  instance: ProcessContext,
  { connector, url }: StandIn,
  terms: Terms,
): Promise<Part> {
  const scene = await openMatrixScene(instance, only(stage.apis).url, namesOf(connector))
  const { faults } = await askSimulator(scene.url, '/faults', z.object({ faults: z.array(faultRow) }))
  const possible = cellsOf(faults).filter((cell) => isPossible(cell, connector))
  const genuine = possible.filter(({ name }) => name === 'genuine')
  const others = possible.filter(({ name }) => name !== 'genuine')
  const sampled = sampleCells(terms.random, others, Math.min(others.length, sizeOf(terms, 'cases')))
  const before = await chargesAt(url)
  const outcomes = await inLanes([...genuine, ...sampled], sizeOf(terms, 'lanes'), (cell, index) =>
    runCell(scene, cell, index),
  )
  return {
    connector,
    sent: outcomes.length,
    wanted: outcomes.reduce((sum, { cell }) => sum + paymentsOf(cell), 0),
    charges: (await chargesAt(url)) - before,
    wrong: outcomes.filter(differs).map((outcome) => `${connector}: ${line(outcome)}`),
  }
}

const ledgerSchema = z.array(z.object({ kind: z.string(), state: z.string() }))

async function chargesAt(url: string): Promise<number> {
  const entries = ledgerSchema.parse(await (await fetch(`${url}/ledger`)).json())
  return entries.filter(({ kind, state }) => kind === 'sale' && state === 'executed').length
}

const namesOf = (connector: string): MatrixNames => ({
  card: `wallet-${connector}`,
  rsa: `wallet-${connector}-rsa`,
  virtual: `wallet-${connector}-virtual`,
  withoutWallet: 'demo-no-wallet',
})

/** A merchant for each flow, whose only MIDs are at the acquirer. The acquirer authenticates the payer where it wants to. */
async function addMerchants(instance: ProcessContext, sandboxUrl: string, standIn: StandIn): Promise<void> {
  const { connector, credentials } = standIn
  const { card, rsa, virtual } = namesOf(connector)
  const midIds: string[] = []
  for (const mode of modes) {
    const settings = { ...everything, name: `wallet-${connector}-${mode}`, connector, mode }
    midIds.push((await createMid(instance, settings, credentials[mode])).id)
  }
  const kinds = [
    { name: card, decrypts: true, of: wallets },
    { name: rsa, decrypts: true, of: ['walletapay'], keyType: 'RSA' },
    { name: virtual, decrypts: false, of: wallets },
  ] as const
  for (const { name, of, ...wishes } of kinds) {
    const title = `Wallets at ${connector}`
    const { merchant } = await createMerchant(instance, { name, title, mpiService: 'none' })
    for (const protocol of protocols)
      await protocolMappingStore(instance.pool).put({
        merchantId: merchant.id,
        protocol,
        enabled: true,
        options: { payouts: true },
      })
    for (const midId of midIds) await linkMerchant(instance, { merchantId: merchant.id, midId, priority: 10 })
    for (const wallet of of)
      for (const mode of modes)
        await enableForTesting(instance, { merchantId: merchant.id, name, title, mode, wallet, ...wishes }, sandboxUrl)
  }
  await instance.pool.query('update merchants set rate_per_second = 1000000 where name like $1', [
    `wallet-${connector}%`,
  ])
}
