/**
 * `npm run bench -- peers`: SALE by turns with payments of the payment module of Medusa, which TypeScript shops would take otherwise, on
 * the same server and with as many connections. Its packages are many, so they are installed on demand and only here.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Figure } from './figure-table.ts'
import { type DrivenRun, measureDriver, runNodeDriver } from './floor/driven.ts'
import { createOwnDatabase } from './floor/own-database.ts'
import { installPackages } from './installed-packages.ts'
import { everyRound, figureOver, medianOf, milliseconds, perSecond } from './rounds.ts'
import { runSale, warmUp } from './sale.ts'
import type { Scene } from './scene.ts'

export async function peerFigures(scene: Scene): Promise<readonly Figure[]> {
  const url = await createOwnDatabase(scene.stage, 'peer')
  await warmUp(scene)
  const rounds = await everyRound(scene.terms, async () => ({
    peer: await runPeer(scene, url),
    sale: await runSale(scene),
  }))
  const [sales, peers] = [rounds.map(({ sale }) => sale.load.perSecond), rounds.map(({ peer }) => peer.perSecond)]
  const peerMs = rounds.flatMap(({ peer }) => peer.cpuMs ?? [])
  const saleMs = rounds.map(({ sale }) => [...sale.cpuMs.values()].reduce((sum, ms) => sum + ms, 0))
  return [
    figureOver({ name: 'payment of Medusa', values: peers, format: perSecond }),
    figureOver({
      name: 'SALE',
      values: sales,
      format: perSecond,
      against: `Medusa ${perSecond(medianOf(peers))}`,
      ratios: sales.map((sale, index) => sale / (peers[index] ?? Number.NaN)),
      goal: { at: 'least', ratio: 20 },
    }),
    ...(peerMs.length === 0
      ? []
      : [
          figureOver({
            name: 'CPU of a payment of Medusa with PostgreSQL',
            values: peerMs,
            format: milliseconds,
            against: `SALE, all programs ${milliseconds(medianOf(saleMs))}`,
            ratios: peerMs.map((ms, index) => ms / (saleMs[index] ?? Number.NaN)),
          }),
        ]),
  ]
}

const folder = fileURLToPath(new URL('./peers', import.meta.url))
export const installPeers = (): Promise<void> => installPackages(folder)

function runPeer({ stage, terms }: Scene, url: string): Promise<DrivenRun> {
  const program = [join(folder, 'medusa.ts'), ...[terms.pool, terms.connections, terms.seconds].map(String)]
  return measureDriver(stage, () => runNodeDriver(program, { DATABASE_URL: url, NODE_ENV: 'production' }))
}
