/** Risk lists at the panel and on the command line: entries typed, taken from a payment, imported and exported. Chapter 70 §7. */
import { isIP } from 'node:net'
import {
  isRiskKind,
  type RiskKind,
  type RiskList,
  readRiskValue,
  riskKinds,
  riskLists,
} from '#domain/risk/risk-entry.ts'
import type { Clock, Ids } from '../../contracts/ports.ts'
import { readCardText } from '../../payments/methods/card-text.ts'
import { merchantStore } from '../../store/configuration/merchants.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { cardStore } from '../../store/payments/cards.ts'
import { paymentStore } from '../../store/payments/payments.ts'
import { type RiskEntry, type RiskFilter, riskEntryStore } from '../../store/risk/risk-entries.ts'
import { PLATFORM_SCOPE, type Vault } from '../../vault/port.ts'
import { type AdminRefused, invalid, notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { Actor } from '../context.ts'
import { CsvFault, csvRecords } from '../finance/csv-records.ts'
import { csvLine } from '../reports/csv.ts'

interface RiskContext {
  readonly pool: Queryable
  readonly clock: Clock
  readonly ids: Ids
}

interface TypedEntry {
  readonly merchantId: string | null
  readonly list: RiskList
  readonly kind: RiskKind
  readonly value: string
  readonly reason: string
  readonly expiresAt: Date | null
}

interface RiskFault {
  readonly line: number
  readonly text: string
}

const importAtMost = 50_000
const faultsAtMost = 50
const pageSize = 1000

/** Entries as they are stored, or what is wrong with them; nothing is written here. */
function readEntries(
  { clock, ids }: RiskContext,
  actor: Actor,
  typed: readonly (TypedEntry & { readonly line: number })[],
): { readonly entries: readonly RiskEntry[]; readonly faults: readonly RiskFault[] } {
  const now = clock.now()
  const faults: RiskFault[] = []
  const entries: RiskEntry[] = []
  for (const { line, ...one } of typed) {
    const reading = readRiskValue(one.kind, one.value)
    const value = reading.ok && (one.kind !== 'ip' || isNetwork(reading.value)) ? reading.value : null
    if (value === null) faults.push({ line, text: `The value must be ${riskKinds[one.kind][1]}.` })
    else if (one.expiresAt !== null && one.expiresAt <= now) faults.push({ line, text: 'The expiry is in the past.' })
    else entries.push({ ...one, value, id: ids.next(), createdAt: now, createdBy: actor.label })
  }
  return { entries, faults }
}

/** An address, or an address with the length of its prefix. */
function isNetwork(text: string): boolean {
  const [address = '', prefix = '0', ...more] = text.split('/')
  const longest = { 4: 32, 6: 128 }[isIP(address)] ?? -1
  return more.length === 0 && Number(prefix) <= longest
}

export const listRiskEntries = (
  { pool }: Pick<RiskContext, 'pool'>,
  filter: RiskFilter,
): Promise<readonly RiskEntry[]> => riskEntryStore(pool).list(filter)

export async function addRiskEntry(
  context: RiskContext,
  actor: Actor,
  typed: TypedEntry,
): Promise<{ readonly entry: RiskEntry; readonly audit: AuditNote }> {
  const { entries, faults } = readEntries(context, actor, [{ ...typed, line: 0 }])
  const [entry] = entries
  if (!entry) throw invalid(faults[0]?.text.startsWith('The expiry') ? 'expiresAt' : 'value', faults[0]?.text ?? '')
  const [put] = await riskEntryStore(context.pool).put([entry])
  const stored = { ...entry, id: put?.id ?? entry.id }
  return { entry: stored, audit: { ...noteOf('risk-entry.add', stored), after: stored } }
}

/** The value of an attribute of a payment, so that users need not type a card number. */
export async function readValueFromPayment(
  { pool, vault }: { readonly pool: Parameters<typeof paymentStore>[0]; readonly vault: Vault },
  merchantId: string,
  paymentId: string,
  kind: RiskKind,
): Promise<string> {
  const payment = await paymentStore(pool).find(merchantId, paymentId)
  if (payment === null) throw notFound()
  if (kind === 'card') {
    const card = payment.cardId === null ? null : await cardStore(pool).find(merchantId, payment.cardId)
    if (!card) throw missing(kind)
    const { number } = readCardText(await vault.open(merchantId, 'card', card.panSealed))
    return vault.fingerprint(PLATFORM_SCOPE, 'risk', number)
  }
  const { payer, payerEmail, payerIp, pan10, customData } = payment
  const custom = (name: string): string | null => {
    const value = customData?.[name]
    return typeof value === 'string' ? value : null
  }
  // biome-ignore format: a table is read in columns.
  const values: Readonly<Record<Exclude<RiskKind, 'card'>, string | null | undefined>> = {
    'bin':          pan10?.slice(0, 6),
    'email':        payerEmail,
    'email-domain': payerEmail?.split('@').at(-1),
    'ip':           payerIp,
    'country':      payer['country'],
    'phone':        payer['phone'],
    'device':       custom('device_id'),
    'customer':     custom('customer_id'),
  }
  const value = values[kind]
  if (!value) throw missing(kind)
  return value
}

const missing = (kind: RiskKind): AdminRefused => invalid('kind', `The payment does not have ${riskKinds[kind][0]}.`)

export async function removeRiskEntry({ pool }: Pick<RiskContext, 'pool'>, id: string): Promise<AuditNote> {
  const entry = await riskEntryStore(pool).remove(id)
  if (entry === null) throw notFound()
  return { ...noteOf('risk-entry.remove', entry), before: entry }
}

interface RiskImport {
  readonly added: number
  readonly changed: number
  readonly faults: readonly RiskFault[]
  readonly faultCount: number
  readonly audit: AuditNote | 'none'
}

/** Imports all rows of a file or none. */
export async function importRiskEntries(
  context: RiskContext,
  actor: Actor,
  content: AsyncIterable<Uint8Array>,
): Promise<RiskImport> {
  const ids = new Map((await merchantStore(context.pool).list()).map((merchant) => [merchant.name, merchant.id]))
  const merchantIdOf = (name: string): string | undefined => ids.get(name)
  const { typed, faults: unreadable } = await readFile(content, merchantIdOf)
  const { entries, faults } = readEntries(context, actor, typed)
  const all = [...unreadable, ...faults].toSorted((one, other) => one.line - other.line)
  if (all.length > 0)
    return { added: 0, changed: 0, faults: all.slice(0, faultsAtMost), faultCount: all.length, audit: 'none' }
  const unique = [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()]
  const put = await riskEntryStore(context.pool).put(unique)
  const added = put.filter(({ isNew }) => isNew).length
  const after = { added, changed: put.length - added }
  const audit = { action: 'risk-entry.import', subject: 'risk lists', merchantId: null, after }
  return { ...after, faults: [], faultCount: 0, audit }
}

const keyOf = ({ merchantId, list, kind, value }: RiskEntry): string => JSON.stringify([merchantId, list, kind, value])

const heading = ['merchant', 'list', 'kind', 'value', 'reason', 'expires'] as const

async function readFile(content: AsyncIterable<Uint8Array>, merchantIdOf: (name: string) => string | undefined) {
  const typed: (TypedEntry & { readonly line: number })[] = []
  const faults: RiskFault[] = []
  let isFirst = true
  try {
    for await (const { line, cells } of csvRecords(content)) {
      if (isFirst) {
        isFirst = false
        if (cells.map((cell) => cell.trim().replace(/^\uFEFF/, '')).join(',') === heading.join(',')) continue
        faults.push({ line, text: `The first line must be ${heading.join(',')}.` })
        break
      }
      const read = readRow(cells, merchantIdOf)
      if (typeof read === 'string') faults.push({ line, text: read })
      else typed.push({ ...read, line })
      if (typed.length > importAtMost) {
        faults.push({ line, text: `A file may have at most ${importAtMost} rows.` })
        break
      }
    }
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    faults.push({ line: 0, text: error.message })
  }
  if (isFirst && faults.length === 0) faults.push({ line: 0, text: 'The file is empty.' })
  return { typed, faults }
}

function readRow(cells: readonly string[], merchantIdOf: (name: string) => string | undefined): TypedEntry | string {
  // Exports put a quote before what a spreadsheet would take for a formula.
  const [merchant = '', listed = '', kind = '', value = '', reason = '', expires = ''] = cells.map((cell) =>
    cell.trim().replace(/^'(?=[=+\-@])/, ''),
  )
  if (cells.length !== heading.length) return `The row has ${cells.length} cells instead of ${heading.length}.`
  const merchantId = merchant === '' ? null : merchantIdOf(merchant)
  if (merchantId === undefined) return `There is no merchant "${merchant}".`
  const list = riskLists.find((one) => one === listed)
  if (list === undefined) return `The list must be ${riskLists.join(', ')}.`
  if (!isRiskKind(kind)) return `The kind must be ${Object.keys(riskKinds).join(', ')}.`
  if (reason === '' || reason.length > 500) return 'The reason must have 1 to 500 characters.'
  const expiresAt = expires === '' ? null : new Date(expires)
  if (expiresAt !== null && Number.isNaN(expiresAt.getTime()))
    return 'The expiry must be a time such as 2027-01-31T00:00:00Z.'
  return { merchantId, list, kind, value, reason, expiresAt }
}

/** In the form that the import reads. */
export async function* exportRiskEntries({ pool }: Pick<RiskContext, 'pool'>): AsyncGenerator<string> {
  const names = new Map((await merchantStore(pool).list()).map((merchant) => [merchant.id, merchant.name]))
  yield csvLine(heading)
  let before: string | null = null
  do {
    const page: readonly RiskEntry[] = await riskEntryStore(pool).list({
      merchantId: null,
      list: null,
      kind: null,
      value: null,
      before,
      limit: pageSize,
    })
    for (const { merchantId, list, kind, value, reason, expiresAt } of page)
      yield csvLine([
        merchantId === null ? '' : (names.get(merchantId) ?? merchantId),
        list,
        kind,
        value,
        reason,
        expiresAt,
      ])
    before = page.length < pageSize ? null : (page.at(-1)?.id ?? null)
  } while (before !== null)
}

const noteOf = (action: string, { id, merchantId }: RiskEntry) => ({ action, subject: `risk-entry ${id}`, merchantId })
