/** A limit in a currency that does not exist would never limit anything, so it is refused. */
import type { Limit } from '#domain/mid.ts'
import { exponentOf } from '#domain/money/money.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { PanelContext } from '../panel-context.ts'

const limitNames = ['dayLimit', 'weekLimit', 'monthLimit'] as const

export function requireKnownCurrencies(
  { configuration }: Pick<PanelContext, 'configuration'>,
  limits: { readonly [Name in (typeof limitNames)[number]]?: Limit },
): void {
  const fields = limitNames.flatMap((name) =>
    Object.keys(limits[name]?.amounts ?? {})
      .filter((currency) => exponentOf(currency, configuration.cryptoCurrencies()) === undefined)
      .map((currency) => ({
        field: `${name}.amounts`,
        text: `${currency} is not a known currency. Enter one such as EUR.`,
      })),
  )
  if (fields.length > 0) throw new AdminRefused('invalid', { fields })
}
