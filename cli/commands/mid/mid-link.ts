/** Which merchants use which MIDs. Chapter 50 §1 (merchant mapping), §3. */
import type { MerchantMapping } from '#domain/mid.ts'
import { difference } from '#server/panel/audit/audit.ts'
import { mappingAudit } from '#server/panel/setup/mids.ts'
import { linkMerchant } from '#server/setup/mids.ts'
import { merchantMappingStore } from '#server/store/configuration/mids.ts'
import type { ChangeContext } from '../../kit/change.ts'
import { command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { openInstance } from '../../kit/instance.ts'
import { lockMerchant, requireMid } from '../../kit/named.ts'
import { argument, type OptionValues, orNone, toggle, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { record } from '../../kit/table.ts'
import { amountsOption, amountTexts, changeLimit } from './changed-limit.ts'

const channel = value(
  'TEXT',
  'Used for requests with this channel_id.',
  readers.textMatching(/^.{1,16}$/u, 'a text of up to 16 characters'),
)
const count = readers.wholeNumber(0, 1_000_000_000)

// biome-ignore format: a table is read in columns.
const settings = {
  priority:             value('N', 'Lower numbers are tried first; default 100.',   readers.wholeNumber(0, 1_000_000)),
  weight:               value('N', 'Share among MIDs of the same priority; default 1.', readers.wholeNumber(1, 1_000_000)),
  enabled:              toggle('Whether the link is active.'),
}

// biome-ignore format: a table is read in columns.
const limitOptions = {
  dayLimit:   amountsOption('Maximum amount per day in a currency; may be repeated.'),
  dayCount:   orNone(value('N', 'Maximum number of payments per day.',                             count)),
  weekLimit:  amountsOption('Maximum amount per week in a currency; may be repeated.'),
  weekCount:  orNone(value('N', 'Maximum number of payments per week.',                            count)),
}

const args = { merchant: argument('MERCHANT', readers.nonEmpty), mid: argument('MID', readers.nonEmpty) }

export const linkMid = command({
  name: 'mid link',
  changes: true,
  summary: 'Links a MID to a merchant, or changes the link.',
  args,
  options: { channel, ...settings, ...limitOptions },
  examples: [
    'gatehouse mid link acme main --priority 10',
    'gatehouse mid link acme backup --priority 20 --channel phone',
  ],
  async run(context, names, { channel: on, ...wishes }) {
    await using instance = await openInstance(context)
    const { merchant, mid, linked } = await instance.change(async (change) => {
      const found = await findLink(change, names, on ?? null)
      return { ...found, linked: await putLink(change, found, on ?? null, linkChanges(wishes, found.link)) }
    })
    context.output.out(
      record([
        ['merchant', merchant.name],
        ['mid', mid.name],
        ['channel', linked.channel],
        ['priority', linked.priority],
        ['weight', linked.weight],
        ['enabled', linked.enabled],
        ['day_limit', amountTexts(linked.dayLimit)],
        ['day_limit_count', linked.dayLimit.count],
        ['week_limit', amountTexts(linked.weekLimit)],
        ['week_limit_count', linked.weekLimit.count],
      ]),
    )
  },
})

export const unlinkMid = command({
  name: 'mid unlink',
  changes: true,
  summary: 'Unlinks a MID from a merchant; captures, refunds and voids of its payments continue.',
  args,
  options: { channel },
  async run(context, names, { channel: on = null }) {
    await using instance = await openInstance(context)
    const { merchant, mid } = await instance.change(async (change) => {
      const found = await findLink(change, names, on)
      if (!found.link) throw notLinked(found, on)
      await merchantMappingStore(change.pool).remove(found.merchant.id, found.link.id)
      change.note({ ...mappingAudit('mapping.remove', found.link), before: found.link })
      return found
    })
    context.output.out(`"${merchant.name}" no longer uses the MID "${mid.name}".`)
  },
})

type LinkTarget = Awaited<ReturnType<typeof findLink>>

async function putLink(
  change: ChangeContext,
  { merchant, mid, link }: LinkTarget,
  on: string | null,
  changes: Partial<MerchantMapping>,
): Promise<MerchantMapping> {
  if (link === undefined) {
    const mapping = await linkMerchant(change, { merchantId: merchant.id, midId: mid.id, channel: on, ...changes })
    change.note({ ...mappingAudit('mapping.create', mapping), after: mapping })
    return mapping
  }
  const linked = { ...link, ...changes }
  await merchantMappingStore(change.pool).put(linked)
  change.note({ ...mappingAudit('mapping.change', linked), ...difference(link, linked) })
  return linked
}

function notLinked({ merchant, mid }: LinkTarget, on: string | null): CommandError {
  const where = on === null ? 'without a channel' : `on the channel "${on}"`
  return new CommandError(
    `"${merchant.name}" does not use the MID "${mid.name}" ${where}.`,
    '"gatehouse merchant show" lists its MIDs.',
  )
}

/** A merchant is linked to a MID at most once per channel. */
async function findLink(
  { pool }: ChangeContext,
  names: { readonly merchant: string; readonly mid: string },
  on: string | null,
) {
  const merchant = await lockMerchant(pool, names.merchant)
  const mid = await requireMid(pool, names.mid)
  const links = await merchantMappingStore(pool).list()
  const link = links.find((one) => one.merchantId === merchant.id && one.midId === mid.id && one.channel === on)
  return { merchant, mid, link }
}

type LinkOptions = OptionValues<typeof settings & typeof limitOptions>

function linkChanges(
  { dayLimit, dayCount, weekLimit, weekCount, ...plain }: LinkOptions,
  before: MerchantMapping | undefined,
): Partial<MerchantMapping> {
  return {
    ...plain,
    dayLimit: changeLimit(before?.dayLimit, dayLimit, dayCount),
    weekLimit: changeLimit(before?.weekLimit, weekLimit, weekCount),
  }
}
