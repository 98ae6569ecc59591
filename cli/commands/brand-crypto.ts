/** The table of crypto currencies, which brands of kind `crypto` know beside those of ISO 4217. Chapter 20 §2. */
import { changeCryptoCurrency, type TableChange } from '#server/administration/crypto-currencies.ts'
import { readBrandTerms } from '#server/store/brand-terms.ts'
import { type Command, command } from '../kit/command.ts'
import { CommandError } from '../kit/command-error.ts'
import { openInstance } from '../kit/instance.ts'
import { argument } from '../kit/options.ts'
import * as readers from '../kit/readers.ts'
import { table } from '../kit/table.ts'

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
    summary: 'Adds a crypto currency, or changes its decimals for new payments.',
    details: 'A brand takes it as soon as its currencies name it.',
    args: { code, decimals: argument('DECIMALS', readers.wholeNumber(0, 30)) },
    options: {},
    examples: ['gatehouse brand crypto set DOGE 8'],
    async run(context, args) {
      await using instance = await openInstance(context)
      changed(await changeCryptoCurrency(instance, args.code, args.decimals))
      context.output.out(`${args.code} has ${args.decimals} decimals.`)
    },
  }),

  command({
    name: 'brand crypto remove',
    summary: 'Takes a crypto currency out of the table; payments made in it go on.',
    args: { code },
    options: {},
    async run(context, args) {
      await using instance = await openInstance(context)
      changed(await changeCryptoCurrency(instance, args.code, null))
      context.output.out(`${args.code} is taken for new payments no more.`)
    },
  }),
]

function changed(change: TableChange): void {
  if ('faults' in change) throw new CommandError(change.faults.join('\n'), 'Nothing was changed.')
}
