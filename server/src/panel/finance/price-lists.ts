/** Price lists at the panel: a list applies from its first day on, and its days overlap with no other list's. Chapter 70 §3. */

import { exponentOf } from '#domain/money/money.ts'
import { type PriceTerms, priceFaults } from '#domain/pricing/price-list.ts'
import { utcDay } from '#domain/time.ts'
import {
  lockPriceLists,
  priceListStore,
  type StoredPriceList,
  writtenTerms,
} from '../../store/configuration/price-lists.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { AdminRefused, invalid, notFound } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { Actor } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'

export const listPriceLists = ({ pool }: PanelContext, merchantId: string): Promise<readonly StoredPriceList[]> =>
  priceListStore(pool).listOf(merchantId)

interface NewList extends PriceTerms {
  readonly validFrom: string
  readonly validTo: string | null
}

/** A list begins tomorrow at the earliest: what has been charged stays as it was. */
export async function addPriceList(
  context: PanelContext,
  actor: Actor,
  merchantId: string,
  wish: NewList,
): Promise<string> {
  if (context.configuration.merchant(merchantId) === null) throw notFound()
  requireSound(context, wish)
  const { pool, clock, ids } = context
  return await inTransaction(pool, async (client) => {
    await lockPriceLists(client, merchantId)
    const store = priceListStore(client)
    const lists = await store.listOf(merchantId)
    // A merchant's first list may begin today, because nothing was charged before it.
    const today = utcDay(clock.now())
    if (wish.validFrom < today || (wish.validFrom === today && lists.length > 0))
      throw invalid('validFrom', 'Enter a day after today: what has been charged does not change.')
    const other = lists.find((one) => overlaps(one, wish))
    if (other)
      throw new AdminRefused('conflict', {
        message: `The days overlap with the list from ${other.validFrom} to ${other.validTo ?? 'further notice'}. End that list first.`,
      })
    const id = ids.next()
    await store.insert({ ...wish, merchantId, id, madeBy: actor.label, madeAt: clock.now(), releasedTo: null })
    const after = { validFrom: wish.validFrom, validTo: wish.validTo, ...writtenTerms(wish) }
    await note(client, clock, actor, { action: 'price-list.add', subject: `price-list ${id}`, merchantId, after })
    return id
  })
}

const overlaps = (
  one: Pick<StoredPriceList, 'validFrom' | 'validTo'>,
  other: Pick<StoredPriceList, 'validFrom' | 'validTo'>,
): boolean =>
  (one.validTo === null || other.validFrom <= one.validTo) && (other.validTo === null || one.validFrom <= other.validTo)

function requireSound({ configuration }: PanelContext, wish: NewList): void {
  if (wish.validTo !== null && wish.validTo < wish.validFrom)
    throw invalid('validTo', 'Enter a last day that is not before the first.')
  const [fault] = priceFaults(wish)
  if (fault) throw invalid(fault.member, fault.text)
  const currencies = [...wish.rules.map(({ currency }) => currency), ...wish.monthly.map(({ currency }) => currency)]
  const unknown = currencies.find(
    (one) => one !== null && exponentOf(one, configuration.cryptoCurrencies()) === undefined,
  )
  if (unknown) throw invalid('rules', `${unknown} is not a currency.`)
  const unknownMid = wish.rules.flatMap(({ midIds }) => midIds).find((id) => configuration.mid(id) === null)
  if (unknownMid !== undefined) throw invalid('rules', 'Select MIDs that exist.')
}

/** Ends a list with a day that is not over yet. */
export async function endPriceList(
  { pool, clock }: PanelContext,
  actor: Actor,
  { merchantId, id }: { readonly merchantId: string; readonly id: string },
  validTo: string,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await lockPriceLists(client, merchantId)
    const store = priceListStore(client)
    const lists = await store.listOf(merchantId)
    const list = lists.find((one) => one.id === id)
    if (!list) throw notFound()
    const today = utcDay(clock.now())
    if (list.validTo !== null && list.validTo < today)
      throw new AdminRefused('conflict', { message: 'The list has ended. What has been charged does not change.' })
    if (validTo < today || validTo < list.validFrom)
      throw invalid('validTo', 'Enter a last day from today on, and not before the first.')
    if (lists.some((one) => one.id !== id && overlaps(one, { ...list, validTo })))
      throw invalid('validTo', 'Another list begins before that day.')
    await store.end(merchantId, id, validTo)
    await note(client, clock, actor, {
      action: 'price-list.end',
      subject: `price-list ${id}`,
      merchantId,
      before: { validTo: list.validTo },
      after: { validTo },
    })
  })
}
