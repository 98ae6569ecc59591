/** What a person wants of a scheduled export, and what is wrong with it. Chapter 70 §5. */

import { exportLimits } from '#domain/export/export-limits.ts'
import type { ExportTimes } from '#domain/export/export-period.ts'
import { isZone } from '#domain/schedule/day.ts'
import type { JsonObject } from '../../contracts/records.ts'
import type { ExportKind } from '../../store/instance/exports.ts'
import { type Grant, reaches } from '../access/permissions.ts'
import { invalid } from '../admin-refused.ts'
import type { AdminContext } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { scheduledColumnNames } from '../reports/exported-rows.ts'

/** Without an address, an HTTPS target keeps the one that it has. */
type TargetWish =
  | { readonly kind: 'mail'; readonly addresses: readonly string[] }
  | { readonly kind: 'https'; readonly url?: string | undefined }

export interface ScheduleWishes extends ExportTimes {
  readonly name: string
  readonly kind: ExportKind
  /** The filter as the client sent it; it was read by the schema of the search, and is read again for each run. */
  readonly filter: JsonObject
  readonly columns: readonly string[]
  readonly target: TargetWish
}

/** How the instance was started, beside what every change needs. */
export type ScheduleContext = AdminContext & Pick<PanelContext, 'instanceMode' | 'sendsMail'>

/** Throws for the first fault; nothing has been written then. */
export function requireWishes(context: ScheduleContext, { target, ...wishes }: ScheduleWishes): void {
  if (/\p{Cc}/u.test(wishes.name)) throw invalid('name', 'Enter a name on one line.')
  for (const name of ['from', 'to'])
    if (name in wishes.filter) throw invalid(`filter.${name}`, 'Remove it: the schedule chooses the period.')
  const known = scheduledColumnNames(wishes.kind)
  const unknown = wishes.columns.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw invalid('columns', `Unknown column: ${unknown.join(', ')}.`)
  if (wishes.columns.length === 0) throw invalid('columns', 'Choose at least one column.')
  if (!isZone(wishes.timeZone)) throw invalid('timeZone', 'Choose a time zone such as Europe/Berlin.')
  if (target.kind === 'mail') requireAddresses(context, target.addresses)
  else if (target.url !== undefined) requireUrl(context, target.url)
}

function requireAddresses({ sendsMail }: ScheduleContext, addresses: readonly string[]): void {
  if (!sendsMail) throw invalid('target', 'This instance sends no e-mail: set SMTP_URL, or choose an HTTPS address.')
  const most = exportLimits.addresses
  if (addresses.length === 0 || addresses.length > most) throw invalid('target', `Enter 1 to ${most} e-mail addresses.`)
  const wrong = addresses.find((address) => !/^[^@\s,;<>]+@[^@\s,;<>]+$/.test(address))
  if (wrong !== undefined) throw invalid('target', `${wrong} is not a valid e-mail address such as ann@example.com.`)
}

function requireUrl({ instanceMode }: ScheduleContext, text: string): void {
  const url = URL.parse(text)
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && instanceMode === 'sandbox')
  if (!isAllowed) throw invalid('target', 'Enter an address such as https://files.example.com/exports.')
}

/** The merchants whose payments are exported: the one of the filter, or those of the owner; null for all. */
export function requireMerchants(grant: Grant, { merchantId }: JsonObject): readonly string[] | null {
  if (typeof merchantId === 'string') {
    if (!reaches(grant, merchantId)) throw invalid('filter.merchantId', 'Choose a merchant of the owner.')
    return [merchantId]
  }
  return grant.merchants === 'all' ? null : [...grant.merchants]
}

/** The path of an address may be its password. */
export const shownUrl = (url: string): string => `${URL.parse(url)?.origin ?? ''}/…`
