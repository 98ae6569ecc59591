/**
 * Sends every merchant request that names something with another merchant's key, and a hash that is right except for the owner's password.
 * Nothing may be revealed or changed, and the answer must be the one for an unknown id.
 */
import { randomUUID } from 'node:crypto'
import { cardFormulas } from '#domain/signature/signature.ts'
import { apmActions } from '#server/protocols/s2s-apm/index.ts'
import { cardActions } from '#server/protocols/s2s-card/index.ts'
import { chargeChain, onSchedule } from '../../server/test/chains.ts'
import type { Answer, RequestFields } from '../../server/test/shop.ts'
import type { Findings } from '../campaign.ts'
import { type AuthzScene, changedTables, intruder, type VictimEntities } from './authz-scene.ts'

/** A request that names one entity; `send` is called with the victim's id and with an unknown one. */
interface Try {
  readonly name: string
  readonly entity: (entities: VictimEntities) => string
  readonly send: (scene: AuthzScene, id: string) => Promise<Answer>
  /** The error of the interface for another merchant's entity, if it differs from the one for an unknown entity. */
  readonly error?: number
}

/** Chapter 10 §7.1.9: a token of another merchant has its own error. */
const tokenOfAnother = 205007

const as = { merchant: intruder }

const card = (action: string, entity: Try['entity'], over: RequestFields = {}): Try => ({
  name: `S2S_CARD ${action}`,
  entity,
  send: ({ shop }, id) => shop.followUp(action, id, over, as),
})
const apm = (action: string, entity: Try['entity'], over: RequestFields = {}): Try => ({
  name: `S2S_APM ${action}`,
  entity,
  send: (scene, id) => scene.apm.followUp(action, id, over, as),
})
const schedule = (action: string, over: RequestFields = {}): Try => ({
  name: `S2S_CARD ${action}`,
  entity: ({ scheduleId }) => scheduleId,
  send: ({ shop }, id) => onSchedule(shop, action, id, { over, as }),
})
const chargeOnChain = (action: string): Try => ({
  name: `S2S_CARD ${action}`,
  entity: ({ chain }) => chain.recurring_token,
  send: ({ shop, entities }, id) =>
    chargeChain(shop, { ...entities.chain, recurring_token: id }, { action, order_id: 'INTRUDED-5' }, as),
})
const checkout = (name: string, entity: Try['entity'], send: Try['send']): Try => ({
  name: `CHECKOUT ${name}`,
  entity,
  send,
})

const sale = ({ sale: id }: VictimEntities): string => id
const hold = ({ hold: id }: VictimEntities): string => id
const apmSale = ({ apmSale: id }: VictimEntities): string => id
const session = ({ checkoutPayment: id }: VictimEntities): string => id
const token = ({ cardToken: id }: VictimEntities): string => id
const scheduleId = ({ scheduleId: id }: VictimEntities): string => id
const order = { order: { number: 'INTRUDED-6', amount: '1.00', description: 'x' } }

const tries: readonly Try[] = [
  card('CAPTURE', hold, { amount: '1.00' }),
  card('CREDITVOID', sale, { amount: '1.00' }),
  card('VOID', sale),
  card('RETRY', sale),
  card('GET_TRANS_STATUS', sale),
  card('GET_TRANS_DETAILS', sale),
  {
    name: 'S2S_CARD GET_TRANS_STATUS_BY_ORDER',
    entity: (entities) => entities.order,
    send: ({ shop }, id) => shop.byOrder(id, as),
  },
  {
    name: 'S2S_CARD SALE',
    entity: token,
    send: ({ shop }, id) => shop.sale({ order_id: 'INTRUDED-1', card_token: id, card_cvv2: '000' }, as),
    error: tokenOfAnother,
  },
  {
    name: 'S2S_CARD SALE on a schedule',
    entity: scheduleId,
    send: ({ shop }, id) => shop.sale({ order_id: 'INTRUDED-2', recurring_init: 'Y', schedule_id: id }, as),
  },
  {
    name: 'S2S_CARD DEBIT',
    entity: token,
    send: ({ shop }, id) =>
      shop.sale({ action: 'DEBIT', order_id: 'INTRUDED-3', card_token: id, card_cvv2: '000' }, as),
    error: tokenOfAnother,
  },
  { name: 'S2S_CARD CREDIT2CARD', entity: token, send: creditToCard, error: tokenOfAnother },
  chargeOnChain('RECURRING_SALE'),
  chargeOnChain('RECURRING_DEBIT'),
  schedule('UPDATE_SCHEDULE', { name: 'Mine' }),
  schedule('PAUSE_SCHEDULE'),
  schedule('RUN_SCHEDULE'),
  schedule('DELETE_SCHEDULE'),
  schedule('SCHEDULE_INFO'),
  schedule('DESCHEDULE'),
  apm('CAPTURE', apmSale, { amount: '1.00' }),
  apm('CREDITVOID', apmSale, { amount: '1.00' }),
  apm('VOID', apmSale),
  apm('GET_TRANS_STATUS', apmSale),
  apm('DEBIT2VIRTUAL_COMPLETE', apmSale),
  {
    name: 'S2S_APM GET_TRANS_STATUS_BY_ORDER',
    entity: (entities) => entities.apmOrder,
    send: (scene, id) => scene.apm.byOrder(id, as),
  },
  checkout('status of a payment', session, (scene, id) => scene.checkout.status({ payment_id: id }, as)),
  checkout(
    'status of an order',
    ({ checkoutOrder }) => checkoutOrder,
    (scene, id) => scene.checkout.status({ order_id: id }, as),
  ),
  checkout('capture', session, (scene, id) => scene.checkout.capture(id, '1.00', as)),
  checkout('refund', session, (scene, id) => scene.checkout.refund(id, '1.00', as)),
  checkout('void', session, (scene, id) => scene.checkout.void(id, as)),
  checkout('retry', session, (scene, id) => scene.checkout.retry(id, as)),
  checkout('refund of an S2S payment', sale, (scene, id) => scene.checkout.refund(id, '1.00', as)),
  checkout(
    'recurring',
    ({ chain }) => chain.recurring_token,
    (scene, id) => scene.checkout.recurring({ ...scene.entities.chain, recurring_token: id, ...order }, as),
  ),
  checkout('session on a schedule', scheduleId, (scene, id) =>
    scene.checkout.session({ order: { number: 'INTRUDED-7' }, recurring_init: true, schedule_id: id }, as),
  ),
  checkout('session with a card token', token, (scene, id) =>
    scene.checkout.session({ order: { number: 'INTRUDED-8' }, card_token: [id] }, as),
  ),
]

function creditToCard({ shop }: AuthzScene, cardToken: string): Promise<Answer> {
  const { key, password } = shop.merchant(intruder)
  const hash = shop.sign(cardFormulas.creditWithToken, { card_token: cardToken }, password)
  const fields = { order_id: 'INTRUDED-4', order_amount: '1.00', order_currency: 'EUR', order_description: 'x' }
  return shop.raw({ action: 'CREDIT2CARD', client_key: key, ...fields, card_token: cardToken, hash })
}

/** Parameters by which an action names an existing entity. */
const idFields = ['trans_id', 'card_token', 'recurring_token', 'recurring_init_trans_id', 'schedule_id']

/** Actions that name something and that no case covers: a new one needs its row. */
function findUntriedActions(): readonly string[] {
  const tried = new Set(tries.map(({ name }) => name))
  return (
    [
      ['S2S_CARD', cardActions],
      ['S2S_APM', apmActions],
    ] as const
  ).flatMap(([protocol, actions]) =>
    actions
      .filter(({ params }) => Object.keys(params).some((name) => idFields.includes(name)))
      .map(({ names }) => `${protocol} ${names[0]}`)
      .filter((name) => !tried.has(name)),
  )
}

export async function tryForeignIds(scene: AuthzScene): Promise<Findings> {
  const [leaks, changes]: [string[], string[]] = [[], []]
  let before = await scene.state()
  for (const { name, entity, send, error } of tries) {
    const id = entity(scene.entities)
    const unknown = /^[0-9a-f-]{36}$/.test(id) ? randomUUID() : `${'0'.repeat(4)}${id.slice(4)}`
    const foreign = await send(scene, id)
    const none = await send(scene, unknown)
    await scene.shop.service.awaitIdle()
    const words = scene.secretTexts.filter((word) => word !== id && foreign.text.includes(word))
    const isRight =
      error === undefined
        ? comparableText(foreign, id) === comparableText(none, unknown)
        : foreign.body?.error_code === error
    if (!isRight) leaks.push(`${name}: ${foreign.text} instead of ${none.text}`)
    if (words.length > 0) leaks.push(`${name} reveals ${words.join(', ')}`)
    const after = await scene.state()
    for (const table of changedTables(before, after)) changes.push(`${name} changed ${table}`)
    before = after
  }
  const keyed = await idempotencyKeyOf(scene)
  const missing = findUntriedActions()
  return {
    figures: [
      { name: 'requests with another merchant’s ids', value: 2 * tries.length + 2 },
      { name: 'disclosed to another merchant', value: leaks.length + keyed.length, must: 0 },
      { name: 'changed by another merchant', value: changes.length, must: 0 },
      { name: 'actions that were not tried', value: missing.length, must: 0 },
    ],
    faults: [
      ...leaks,
      ...keyed,
      ...changes,
      ...missing.map((name) => `${name} takes an identifier and was not tried.`),
    ],
  }
}

/** The answer without the sent id and without values that are new in every answer. */
const comparableText = ({ http, text }: Answer, id: string): string =>
  `${http} ${text
    .replaceAll(id, 'ID')
    .replaceAll(/INTRUDED-\d+|eyJ[\w=-]+|ZXlK[\w=-]+|[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    .replaceAll(/\d{4}-\d\d-\d\d[ T][\d:.]+Z?/g, '…')}`

/** Keys are per merchant: the same text of another merchant is another key. */
async function idempotencyKeyOf({ shop, secretTexts: words }: AuthzScene): Promise<readonly string[]> {
  const headers = { 'idempotency-key': 'one-key-of-two-merchants' }
  const first = await shop.sale({ order_id: 'KEYED-1' }, { headers })
  const second = await shop.sale({ order_id: 'KEYED-1' }, { ...as, headers })
  const isOther = second.body?.trans_id !== undefined && second.body.trans_id !== first.body.trans_id
  return isOther && !words.some((word) => second.text.includes(word))
    ? []
    : [`An idempotency key revealed: ${second.text}`]
}
