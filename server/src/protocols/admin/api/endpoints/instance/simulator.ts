/** The wallet simulator of a sandbox. Chapter 40 §20.3. */
import { z } from 'zod'
import type { Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import { mint, readSimulatorList } from '../../../../../panel/instance/simulator.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { anything } from '../../values.ts'

const value = z.union([z.string().max(2000), z.number(), z.boolean(), z.null()])

export const simulatorEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/simulator/cards',
    summary: 'Lists the cards of the virtual phone.',
    access: 'simulator.use',
    output: z.object({ cards: anything }),
    run: async (_, { context }) => ({ cards: (await readSimulatorList(context, 'cards'))['cards'] }),
  }),
  queryEndpoint({
    path: '/simulator/faults',
    summary: 'Lists token faults that can be simulated, by the check that detects each.',
    access: 'simulator.use',
    output: z.object({ faults: anything }),
    run: async (_, { context }) => ({ faults: (await readSimulatorList(context, 'faults'))['faults'] }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/simulator/:mode/:wallet/tokens',
    summary: 'Creates a wallet token for a merchant, with simulated faults on request.',
    access: 'simulator.use',
    body: z.strictObject({ wishes: z.record(z.string().max(64), value).default({}) }),
    output: z.object({ minted: anything }),
    run: async ({ params, body: { wishes } }, { context }) => {
      // Safe: `path-params.ts` accepts only modes and wallets here.
      const place = { merchantId: params.merchantId, mode: params.mode as Mode, wallet: params.wallet as Wallet }
      const { minted, audit } = await mint(context, { ...place, wishes })
      return { answer: { minted }, audit }
    },
  }),
]
