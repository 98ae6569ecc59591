/**
 * The Add Data table: every field that an operator may select for a merchant's callbacks, status answers and redirects.
 *
 * One row per field, in the order in which they are sent. The panel draws its lists from this table, the presenters read
 * it, and the documentation prints it, so that a new field is one new row. Fields that a protocol always sends are not
 * selectable and not here: the presenter of that protocol has them. A presenter that sends `card` on its own passes a
 * selection without it.
 *
 * Chapter 10 §7.10 and §11.2, chapter 20 §13 and §16, chapter 30 §5.6, chapter 50 §2.
 */
import { formatExpiry } from './card.ts'
import type { Protocol } from './merchant.ts'
import { formatAmount } from './money/money.ts'
import type { Nested, NestedObject, PaymentFacts, TransactionFacts } from './payment/facts.ts'
import type { Kind, TransactionType } from './payment/payment.ts'
import { dateTimeIn } from './schedule/day.ts'

export const places = ['callback', 'status', 'redirect'] as const
export type Place = (typeof places)[number]

/** How the panel groups the fields; `acquirer` is data from the acquirer, which is not known yet during a payer step. */
type Group = 'method' | 'acquirer' | 'credential' | 'card' | 'payer' | '3ds' | 'browser' | 'transaction'

export interface ReportField {
  readonly name: string
  readonly group: Group
  readonly appearsIn: Readonly<Record<Protocol, readonly Place[]>>
  readonly value: (facts: PaymentFacts) => Nested | null
  /** Sent with an empty value when selected and missing, in callbacks only. */
  readonly emptyInCallback: boolean
  /** The transactions and kinds of payment whose callbacks carry it; null means all. */
  readonly transactions: readonly TransactionType[] | null
  readonly kinds: readonly Kind[] | null
}

/** C callback, S status answer, R redirect; `-` nowhere. */
type PlaceCodes = '-' | 'C' | 'S' | 'CS' | 'CR' | 'CSR'

type Rule = Pick<ReportField, 'emptyInCallback' | 'transactions' | 'kinds'>

const plain: Rule = { emptyInCallback: false, transactions: null, kinds: null }
// A RETRY of a recurring sale is reported as RECURRING_SALE and has an ARN; a retried debit has none, like every debit.
const ofSales: Rule = { emptyInCallback: true, transactions: ['SALE', 'AUTH', 'RETRY', 'REFUND'], kinds: ['sale'] }

const row = (
  name: string,
  group: Group,
  card: PlaceCodes,
  apm: PlaceCodes,
  checkout: PlaceCodes,
  value: (facts: PaymentFacts) => Nested | null,
  rule: Rule = plain,
): ReportField => ({
  name,
  group,
  appearsIn: { S2S_CARD: placesOf(card), S2S_APM: placesOf(apm), CHECKOUT: placesOf(checkout) },
  value,
  ...rule,
})

function placesOf(codes: PlaceCodes): readonly Place[] {
  return places.filter((place) => codes.includes(place.charAt(0).toUpperCase()))
}

// biome-ignore format: a table is read in columns.
export const reportFields: readonly ReportField[] = [
  //   name                         group          S2S    S2S    Check- value
  //                                               CARD   APM    out
  row('payment_method',             'method',      'CS',  '-',   'CSR', (facts) => facts.checkoutMethod),
  row('checkout_payment_method',    'method',      'CS',  'CSR', 'CS',  (facts) => facts.checkoutMethod),
  row('brand',                      'method',      'CS',  'CSR', 'CSR', (facts) => facts.brandDocument),

  row('arn',                        'acquirer',    'CS',  'CSR', 'CS',  (facts) => facts.arn, ofSales),
  row('connector_name',             'acquirer',    'C',   'CSR', 'C',   (facts) => facts.mid?.connectorTitle ?? null),
  row('rrn',                        'acquirer',    'CS',  'CSR', 'C',   (facts) => facts.rrn),
  row('approval_code',              'acquirer',    'C',   'CSR', 'C',   (facts) => facts.approvalCode),
  row('gateway_id',                 'acquirer',    'C',   'CSR', 'C',   (facts) => facts.gatewayId),
  row('extra_gateway_id',           'acquirer',    'C',   'CSR', 'C',   (facts) => facts.extraGatewayId),
  row('merchant_name',              'acquirer',    'C',   'CSR', 'C',   (facts) => facts.merchant.name),
  row('mid_name',                   'acquirer',    'C',   'CSR', 'C',   (facts) => facts.mid?.name ?? null),
  row('issuer_country',             'acquirer',    'C',   'CSR', 'C',   (facts) => facts.card?.issuerCountry ?? null),
  row('issuer_bank',                'acquirer',    'C',   'CSR', 'C',   (facts) => facts.card?.issuerBank ?? null),
  row('extended_data',              'acquirer',    'C',   'CSR', 'CS',  extendedData),

  row('initiator',                  'credential',  'CS',  'CSR', 'CS',  (facts) => facts.storedCredential?.initiator ?? null),
  row('sequence',                   'credential',  'CS',  'CSR', 'CS',  (facts) => facts.storedCredential?.sequence ?? null),
  row('source',                     'credential',  'CS',  'CSR', 'CS',  (facts) => facts.storedCredential?.source ?? null),

  row('card',                       'card',        'CS',  'CSR', 'S',   (facts) => facts.card?.mask ?? null),
  row('card_expiration_date',       'card',        'CS',  'CSR', 'S',   cardExpirationDate),

  row('customer_ip',                'payer',       'C',   '-',   '-',   (facts) => facts.ip),
  row('payer_first_name',           'payer',       'CS',  'CSR', 'CS',  (facts) => facts.payer.firstName),
  row('payer_last_name',            'payer',       'CS',  'CSR', 'CS',  (facts) => facts.payer.lastName),
  row('payer_birth_date',           'payer',       'CS',  'CSR', 'CS',  (facts) => facts.payer.birthDate),
  row('payer_address',              'payer',       'CS',  'CSR', 'CS',  (facts) => facts.payer.address),
  row('payer_address2',             'payer',       'CS',  'CSR', 'CS',  (facts) => facts.payer.address2),
  row('payer_house_number',         'payer',       'CS',  'CSR', 'CS',  (facts) => facts.payer.houseNumber),
  row('payer_phone_country_code',   'payer',       'CS',  'CSR', 'CS',  (facts) => facts.payer.phoneCountryCode),
  row('payer_country',              'payer',       'CS',  'CSR', 'CS',  (facts) => facts.payer.country),
  row('payer_state',                'payer',       'CS',  'CSR', 'CS',  (facts) => facts.payer.state),
  row('payer_city',                 'payer',       'CS',  'CSR', 'CS',  (facts) => facts.payer.city),
  row('payer_district',             'payer',       'CS',  'CSR', 'CS',  (facts) => facts.payer.district),
  row('payer_zip',                  'payer',       'CS',  'CSR', 'CS',  (facts) => facts.payer.zip),
  row('payer_email',                'payer',       'CS',  'CSR', 'CS',  (facts) => facts.payer.email),
  row('payer_phone',                'payer',       'CS',  'CSR', 'CS',  (facts) => facts.payer.phone),
  row('payer_ip',                   'payer',       'CS',  'CSR', 'CS',  (facts) => facts.ip),

  row('threeDSServerTransID',       '3ds',         'CS',  'CR',  'C',   (facts) => facts.threeDs?.threeDSServerTransID ?? null),
  row('dsTransID',                  '3ds',         'CS',  'CR',  'C',   (facts) => facts.threeDs?.dsTransID ?? null),
  row('acsTransID',                 '3ds',         'CS',  'CR',  'C',   (facts) => facts.threeDs?.acsTransID ?? null),
  row('xid',                        '3ds',         'CS',  'CR',  'C',   (facts) => facts.threeDs?.xid ?? null),
  row('transStatus',                '3ds',         'CS',  'CR',  'C',   (facts) => facts.threeDs?.transStatus ?? null),
  row('transStatusReason',          '3ds',         'CS',  'CR',  'C',   (facts) => facts.threeDs?.transStatusReason ?? null),
  row('eci',                        '3ds',         'CS',  'CR',  'C',   (facts) => facts.threeDs?.eci ?? null),
  row('protocolVersion',            '3ds',         'CS',  'CR',  'C',   (facts) => facts.threeDs?.protocolVersion ?? null),
  row('authenticationFlow',         '3ds',         'CS',  'CR',  'C',   (facts) => facts.threeDs?.authenticationFlow ?? null),

  row('browser_color_depth',        'browser',     'CS',  'CR',  'C',   (facts) => facts.browser?.colorDepth ?? null),
  row('browser_screen_height',      'browser',     'CS',  'CR',  'C',   (facts) => facts.browser?.screenHeight ?? null),
  row('browser_screen_width',       'browser',     'CS',  'CR',  'C',   (facts) => facts.browser?.screenWidth ?? null),
  row('browser_java_enabled',       'browser',     'CS',  'CR',  'C',   (facts) => facts.browser?.javaEnabled ?? null),
  row('browser_javascript_enabled', 'browser',     'CS',  'CR',  'C',   (facts) => facts.browser?.javascriptEnabled ?? null),
  row('browser_language',           'browser',     'CS',  'CR',  'C',   (facts) => facts.browser?.language ?? null),
  row('browser_timezone_offset',    'browser',     'CS',  'CR',  'C',   (facts) => facts.browser?.timezoneOffset ?? null),
  row('browser_user_agent',         'browser',     'CS',  'CR',  'C',   (facts) => facts.browser?.userAgent ?? null),
  row('browser_accept_headers',     'browser',     'CS',  'CR',  'C',   (facts) => facts.browser?.acceptHeaders ?? null),
  row('browser_platform',           'browser',     'CS',  'CR',  'C',   (facts) => facts.browser?.platform ?? null),

  row('transaction_id',             'transaction', '-',   '-',   'C',   (facts) => facts.transaction?.id ?? null),
  row('transaction_amount',         'transaction', '-',   '-',   'C',   (facts) => facts.transaction && amountOf(facts.transaction, facts)),
  row('transactions',               'transaction', '-',   '-',   'S',   (facts) => facts.transactions?.map((one) => asListed(one, facts)) ?? null),
]

/** The fields that may be selected for a place, in the order of the table. */
export function fieldsFor(protocol: Protocol, place: Place): readonly ReportField[] {
  return fieldsByPlace[protocol][place]
}

interface ReportTarget {
  readonly protocol: Protocol
  readonly place: Place
  /** The reported transaction; that of the facts unless it is set. */
  readonly type?: TransactionType | null
}

/**
 * The selected fields that have a value, as name and value in the order of the table. Names that the place does not
 * offer are ignored, so that a list stored by another release cannot put a field where the interface has none.
 */
export function selectFields(
  selected: readonly string[],
  facts: PaymentFacts,
  { protocol, place, type = facts.transaction?.type ?? null }: ReportTarget,
): readonly (readonly [name: string, value: Nested])[] {
  if (selected.length === 0) return []
  return fieldsFor(protocol, place)
    .filter((field) => selected.includes(field.name) && isReported(field, facts, { protocol, place, type }))
    .flatMap((field) => {
      const value = field.value(facts)
      if (value !== null && !isEmpty(value)) return [[field.name, value] as const]
      return field.emptyInCallback && place === 'callback' ? [[field.name, ''] as const] : []
    })
}

interface CallbackChoice {
  readonly addToCallback: readonly string[]
  readonly extendedDataKeys: readonly string[]
}

/** The selected fields of a callback; extended data has only the chosen keys, if any were chosen. Chapter 50 §2. */
export function selectCallbackFields(
  { addToCallback, extendedDataKeys }: CallbackChoice,
  facts: PaymentFacts,
  target: Omit<ReportTarget, 'place'>,
): ReturnType<typeof selectFields> {
  if (extendedDataKeys.length === 0) return selectFields(addToCallback, facts, { ...target, place: 'callback' })
  const fields = selectFields([...addToCallback, extendedDataName], facts, { ...target, place: 'callback' })
  return fields.flatMap(([name, value]) => {
    if (name !== extendedDataName || typeof value === 'string') return [[name, value] as const]
    const chosen = Object.entries(value).filter(([key]) => extendedDataKeys.includes(key))
    return chosen.length === 0 ? [] : [[name, Object.fromEntries(chosen)] as const]
  })
}

const extendedDataName = 'extended_data'

type Report = Required<ReportTarget>

/** True if the callback of a transaction carries the field. Look-ups and returns report the whole payment. */
function isReported(field: ReportField, facts: PaymentFacts, { protocol, place, type }: Report): boolean {
  if (place !== 'callback' || type === null) return true
  // Chapter 30 §5.5: callbacks of a payer step carry no acquirer data.
  if (protocol === 'CHECKOUT' && field.group === 'acquirer' && (type === '3DS' || type === 'REDIRECT')) return false
  return (field.transactions?.includes(type) ?? true) && (field.kinds?.includes(facts.kind) ?? true)
}

const isEmpty = (value: Nested): boolean => (typeof value === 'string' ? value === '' : Object.keys(value).length === 0)

function cardExpirationDate({ card }: PaymentFacts): string | null {
  if (card?.expiryMonth == null || card.expiryYear == null) return null
  return formatExpiry({ month: card.expiryMonth, year: card.expiryYear })
}

function extendedData(facts: PaymentFacts): NestedObject | null {
  const ours = {
    network_transaction_id: facts.networkTransactionId,
    consent_state: facts.consent?.state ?? null,
    decline_class: facts.declineClass,
  }
  const known = Object.entries(ours).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return { ...facts.extendedData, ...Object.fromEntries(known) }
}

function asListed(transaction: TransactionFacts, facts: PaymentFacts): NestedObject {
  return {
    id: transaction.id,
    type: transaction.type.toLowerCase(),
    status: transaction.state === 'sent' ? 'undefined' : transaction.state,
    amount: amountOf(transaction, facts),
    date: dateTimeIn(transaction.at, facts.merchant.timeZone),
  }
}

function amountOf({ amountMinor }: TransactionFacts, { order }: PaymentFacts): string {
  return formatAmount(amountMinor, order.currency, order.amountDecimals)
}

const fieldsOf = (protocol: Protocol): Readonly<Record<Place, readonly ReportField[]>> => ({
  callback: reportFields.filter(({ appearsIn }) => appearsIn[protocol].includes('callback')),
  status: reportFields.filter(({ appearsIn }) => appearsIn[protocol].includes('status')),
  redirect: reportFields.filter(({ appearsIn }) => appearsIn[protocol].includes('redirect')),
})

// Computed once, because every payment reads them.
const fieldsByPlace: Readonly<Record<Protocol, ReturnType<typeof fieldsOf>>> = {
  S2S_CARD: fieldsOf('S2S_CARD'),
  S2S_APM: fieldsOf('S2S_APM'),
  CHECKOUT: fieldsOf('CHECKOUT'),
}
