/** The table of crypto currencies. Chapter 20 §2. */
import { z } from 'zod'
import { changeCrypto, listCryptoCurrencies } from '../../../../../panel/setup/crypto-currencies.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'

const table = z.object({ currencies: z.array(z.object({ code: z.string(), decimals: z.number() })).readonly() })

export const cryptoCurrencyEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/crypto-currencies',
    summary: 'Lists crypto currencies and their decimals.',
    access: 'brands.read',
    output: table,
    run: async (_, { context }) => ({ currencies: await listCryptoCurrencies(context) }),
  }),
  changeEndpoint({
    method: 'PUT',
    path: '/crypto-currencies/:currency',
    summary: 'Adds a crypto currency, changes its decimals for new payments, or removes it (null).',
    access: 'brands.write',
    body: z.strictObject({ decimals: z.number().int().min(0).max(30).nullable() }),
    output: table,
    run: async ({ params: { currency }, body: { decimals } }, { context }) => {
      const { currencies, audit } = await changeCrypto(context, currency, decimals)
      return { answer: { currencies }, audit }
    },
  }),
]
