/** The table of acquirers: what the package does for each, and what each documents. */
import { z } from 'zod'
import probed from './probed.json' with { type: 'json' }
import { type AcquirerRow, type ProbedRow, preparations, prismAbilities } from './row.ts'
import { acquirerTerms } from './terms.ts'

const readBackSchema = z.object({
  amount: z.string(),
  unit: z.enum(['minor', 'decimal']),
  currency: z.string().optional(),
})

const probedSchema = z.record(
  z.string(),
  z.object({
    fields: z.array(z.object({ name: z.string(), isSecret: z.boolean(), path: z.array(z.string()).optional() })),
    hosts: z.object({ live: z.array(z.url()), test: z.array(z.url()) }),
    abilities: z.array(z.enum(prismAbilities)),
    before: z.array(z.enum(preparations)),
    methods: z.array(z.string()).optional(),
    readBack: z.object({
      sale: readBackSchema.optional(),
      authorize: readBackSchema.optional(),
      capture: readBackSchema.optional(),
      refund: readBackSchema.optional(),
      repeat: readBackSchema.optional(),
    }),
  }),
)

export const acquirerRows: readonly AcquirerRow[] = Object.entries(probedSchema.parse(probed))
  .flatMap(([name, row]) => {
    const terms = acquirerTerms[name]
    if (!terms) return []
    const abilities = row.abilities.filter((ability) => !terms.withheld?.includes(ability))
    return [{ ...row, ...terms, name, abilities, hosts: withAddresses(row.hosts, terms.addresses) }]
  })
  .sort((one, other) => one.title.localeCompare(other.title, 'en'))

/** An address of the documentation comes in place of the package's. */
function withAddresses(hosts: ProbedRow['hosts'], { live, test }: AcquirerRow['addresses'] = {}): ProbedRow['hosts'] {
  return {
    live: live === undefined ? hosts.live : [new URL(live).origin],
    test: test === undefined ? hosts.test : [new URL(test).origin],
  }
}
