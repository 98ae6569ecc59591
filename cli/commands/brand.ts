/** Payment systems that the whole instance knows. Chapter 50 §1. */
import { brandStore } from '#server/store/brands.ts'
import { type Command, command } from '../kit/command.ts'
import { printJson } from '../kit/context.ts'
import { openInstance } from '../kit/instance.ts'
import { brandNamed } from '../kit/named.ts'
import { argument, flag } from '../kit/options.ts'
import * as readers from '../kit/readers.ts'
import { table } from '../kit/table.ts'

export const brandCommands: readonly Command[] = [
  command({
    name: 'brand list',
    summary: 'Lists the payment systems.',
    args: {},
    options: { json: flag('Prints JSON.') },
    async run(context, _args, { json }) {
      await using instance = await openInstance(context)
      const brands = await brandStore(instance.pool).list()
      if (json) {
        printJson(context.output, brands)
        return
      }
      const rows = brands.map(({ code, kind, title, enabled }) => [code, kind, title, enabled])
      context.output.out(table(['code', 'kind', 'title', 'enabled'], rows))
    },
  }),

  ...(['enable', 'disable'] as const).map((verb) =>
    command({
      name: `brand ${verb}`,
      summary:
        verb === 'enable'
          ? 'Takes payments of a payment system again.'
          : 'Refuses a payment system for every merchant.',
      args: { code: argument('CODE', readers.nonEmpty) },
      options: {},
      async run(context, { code }) {
        await using instance = await openInstance(context)
        const brand = await brandNamed(instance.pool, code)
        await brandStore(instance.pool).put({ ...brand, enabled: verb === 'enable' })
        context.output.out(`${brand.title} is ${verb}d.`)
      },
    }),
  ),
]
