/** The samples of the guides as one story in a language: each is run as its reader would run it, with the values that earlier ones printed. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { CheckoutClient } from '../../../server/test/pages/checkout.ts'
import type { Shop } from '../../../server/test/shop.ts'
import { sitePages } from '../../site/page-table.ts'
import { root } from '../../tidy/source-files.ts'
import { languages } from '../languages/languages.ts'
import { planOf } from '../program-plan.ts'
import { fillText, type Sample } from '../sample.ts'
import { samples } from '../samples.ts'
import { inFolder, runners } from './run-program.ts'

export async function tellStory(shop: Shop, languageId: string, ids: readonly string[]): Promise<void> {
  const language = languages.find(({ id }) => id === languageId)
  const runner = runners[languageId]
  assert.ok(language && runner)
  const variables = await variablesFor(shop)
  await inFolder(async (folder) => {
    for (const sample of withNeeded(ids)) {
      if (sample.id === 'checkout-processing') await enterCard(shop, variables['token'] ?? '')
      const printed = await runner.run(fillText(language.write(planOf(sample)), variables), folder)
      Object.assign(variables, keptValues(sample, printed))
    }
  })
}

/** The samples that the guides show. */
export const shownSamples = (): readonly string[] =>
  sitePages.flatMap(({ source }) =>
    [...readFileSync(`${root}${source}`, 'utf8').matchAll(/<!-- generated:sample-([a-z0-9-]+) -->/g)].map(
      ([, id = '']) => id,
    ),
  )

/** The named samples and those whose values they need, in their order. */
function withNeeded(ids: readonly string[]): readonly Sample[] {
  const needed = new Set(ids)
  for (const sample of samples.toReversed()) {
    if (!needed.has(sample.id)) continue
    const names = [...JSON.stringify(sample).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
    for (const { id, keeps = {} } of samples) if (names.some((name) => name && name in keeps)) needed.add(id)
  }
  return samples.filter(({ id }) => needed.has(id))
}

function keptValues(sample: Sample, printed: string): Readonly<Record<string, string>> {
  const answer: Readonly<Record<string, unknown>> = JSON.parse(printed.slice(printed.indexOf('{')))
  for (const [name, value] of Object.entries(sample.answer))
    assert.equal(answer[name], value, `${sample.id}: ${printed}`)
  for (const name of Object.values(sample.keeps ?? {})) assert.ok(answer[name], `${sample.id}: ${printed}`)
  return Object.fromEntries(
    Object.entries(sample.keeps ?? {}).map(([variable, name]) => [variable, String(answer[name])]),
  )
}

/** Key and address of the reader, and payments that a payer makes in a browser. */
async function variablesFor(shop: Shop): Promise<Record<string, string>> {
  const { key, password } = shop.merchant()
  const checkout = new CheckoutClient(shop)
  const hold = await checkout.makePayment({ auth: true, order: { number: randomUUID() } })
  return { base_url: shop.url, key, password, payment_id_hold: hold.payment.id }
}

/** What the frames of hosted fields send. */
export async function enterCard(shop: Shop, token: string): Promise<void> {
  for (const [field, value] of Object.entries({ card: '4111111111111111', expiry: '01/38', cvv: '123' })) {
    const body = JSON.stringify({ field, value })
    await fetch(`${shop.url}/page/v1/fields`, { method: 'POST', headers: { token }, body })
  }
}
