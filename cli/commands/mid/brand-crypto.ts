/** The table of crypto currencies, which brands of kind `crypto` use beside those of ISO 4217. Chapter 20 §2. */
import { saveCryptoCurrency } from '#server/panel/setup/crypto-currencies.ts'
import { readBrandTerms } from '#server/store/configuration/brand-terms.ts'
import { type Command, command } from '../../kit/command.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { argument } from '../../kit/options.ts'
import { withPanelRefusals } from '../../kit/panel-refusal.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'

const code = argument('CODE', readers.nonEmpty)

export const brandCryptoCommands: readonly Command[] = [
  command({
    name: 'brand crypto list',
    summary: 'Lists the crypto currencies and their decimals.',
    args: {},
    options: {},
    async run(context) {
      await using instance = await openInstance(context)
      const { crypto } = await readBrandTerms(instance.pool)
      context.output.out(
        table(
          ['code', 'decimals'],
          [...crypto].toSorted(([one], [two]) => one.localeCompare(two)),
        ),
      )
    },
  }),

  command({
    name: 'brand crypto set',
    changes: true,
    summary: 'Adds a crypto currency, or changes its decimals for new payments.',
    details: 'A brand accepts it once the brand’s currencies include it.',
    args: { code, decimals: argument('DECIMALS', readers.wholeNumber(0, 30)) },
    options: {},
    examples: ['gatehouse brand crypto set DOGE 8'],
    async run(context, args) {
      await using instance = await openInstance(context)
      await change(instance, args.code, args.decimals)
      context.output.out(`${args.code} has ${args.decimals} decimals.`)
    },
  }),

  command({
    name: 'brand crypto remove',
    changes: true,
    summary: 'Removes a crypto currency; existing payments in it continue.',
    args: { code },
    options: {},
    async run(context, args) {
      await using instance = await openInstance(context)
      await change(instance, args.code, null)
      context.output.out(`${args.code} is no longer accepted for new payments.`)
    },
  }),
]

const change = (instance: Instance, currency: string, decimals: number | null): Promise<void> =>
  withPanelRefusals(
    instance.change(async (change) => {
      change.note((await saveCryptoCurrency(change, currency, decimals)).audit)
    }),
  )
