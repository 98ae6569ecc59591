/** Statements that look at the rows of several merchants at once, with the reason. All others touch one merchant's rows alone. */

type Row = readonly [statement: string, reason: string]

const settled = 'An acquirer settles transactions of several merchants.'
const summary = 'Summaries count the payments of all merchants.'
const panel = 'The panel shows several merchants.'
const sum = 'A figure of the whole instance.'
const age = 'Retention walks through the data of all merchants.'
const recovery = 'Recovery after a restore looks at all payments.'
const idAlone = 'The request has an identifier without its merchant.'
const filling = 'Claims of earlier payments are written before an instance is distributed.'
const claim = 'On one server; with several servers its form for a bucket is used.'
const alone = 'On one server; with several servers each outcome is written alone.'
const together = 'On one server; with several servers each plan is read and fired alone.'
const joined = 'On one server; with several servers its form without a look-up of each row is used.'
const tried = 'On one server; with several servers its form that reads the payments by themselves is used.'
const counting = 'On one server; with several servers counters exist before they are counted.'
const due = 'Reads which merchants have due work, for the claims of their buckets.'

// biome-ignore format: a table is read in columns.
export const manyShards: readonly Row[] = [
  ['callback-url.unblock',       'An address may belong to several merchants.'],
  ['callback.count-backlog',     sum],
  ['callback.count-range-failed', sum],
  ['callback.count-range-delivered', sum],
  ['callback.count-standing',    panel],
  ['callback.claim',             claim],
  ['callback.settle',            claim],
  ['callback.bring-forward',     claim],
  ['deferred-command.claim',     claim],
  ['cascade.claim',              claim],
  ['payer-step.claim-expired',   claim],
  ['transaction-watch.claim',    claim],
  ['transaction.claim',          claim],
  ['subscription.claim',         claim],
  ['transaction.settle-group',   alone],
  ['subscription.fire-group',    together],
  ['payment.find-group',         together],
  ['chain.find-group',           together],
  ['schedule.find-group',        together],
  ['card.find-group',            together],
  ['callback.claim-merchants',           due],
  ['deferred-command.claim-merchants',   due],
  ['cascade.claim-merchants',            due],
  ['payer-step.claim-expired-merchants', due],
  ['transaction-watch.claim-merchants',  due],
  ['transaction.claim-merchants',        due],
  ['subscription.claim-merchants',       due],
  ['transaction.count-open',     sum],
  ['transaction.list-unresolved', panel],
  ['transaction.of-exported',    'An export has payments of several merchants.'],
  ['ledger.fees-of-exported',    'An export has payments of several merchants.'],
  ['transaction.of-payments',    'An acquirer reports payments of several merchants.'],
  ['settlement.candidates-of-payments', settled],
  ['settlement.candidates-by-reference', settled],
  ['dispute.rates',              'A MID takes payments of several merchants.'],
  ['settlement.find-missing',    'On one server; with several servers its form for some days is used.'],
  ['settlement.find-missing-of-days', settled],
  ['settlement.records-in-use',  tried],
  ['settlement.records-over-shards', panel],
  ['settlement.returned-chargebacks', settled],
  ['settlement.types-of-transactions', settled],
  ['reconciled-day.list',        settled],
  ['payment.at-mid',             'An acquirer knows our payment, not our merchant.'],
  ['payment.at-mids',            'An acquirer knows our payments, not our merchants.'],
  ['transaction.list-of-payments', 'Payments that one burst of notifications names may belong to many merchants.'],
  ['transaction.by-acquirer-reference', 'An acquirer knows its own reference, not our merchant.'],
  ['transaction.open-by-id',     'An acquirer knows our transaction, not our merchant.'],
  ['payer-step.newest-by-id',    idAlone],
  ['session.find',               idAlone],
  ['card-token.find-foreign',    'A token of another merchant is refused differently from an unknown one.'],
  ['consent.of-payment',         idAlone],
  ['payment.wallet',             idAlone],
  ['refused-token.find',         panel],
  ['payment.stored',             panel],
  ['payment.velocity',           panel],
  ['card.find-several',          panel],
  ['restored.open-transactions', recovery],
  ['restored.due-plans',         recovery],
  ['recovery.forget-transactions', recovery],
  ['review.list',                panel],
  ['review.undecided',           'The oldest reviews of all merchants are announced.'],
  ['payment-link.count-paid',    panel],
  ['payment-summary.begin',      summary],
  ['payment-summary.next',       summary],
  ['payment-summary.add-created', summary],
  ['payment-summary.add-decided', summary],
  ['payment-summary.read',       panel],
  ['session.funnel',             joined],
  ['session.funnel-over-shards', panel],
  ['session.open-in-currency',   'A currency belongs to all merchants.'],
  ['usage.totals',               counting],
  ['limit-use.sum',              'A limit of a MID counts the payments of all its merchants.'],
  ['transaction.begin-charge-limits',     counting],
  ['transaction.begin-charge-limits-try', counting],
  ['transaction.begin-charge-limits-claims-u',     counting],
  ['transaction.begin-charge-limits-try-claims-u', counting],
  ['subscription.fire-limits',            counting],
  ['payment.lock-to-erase',      claim],
  ['payment.erase',              claim],
  ['payment.aged',               claim],
  ['payment.page',               age],
  ['card.remove-unused',         claim],
  ['card.used-since',            claim],
  ['card.page',                  age],
  ['idempotency.purge',          claim],
  ['idempotency.oldest',         age],
  ['session.purge',              claim],
  ['session.page',               age],
  ['session.purge-fields',       claim],
  ['session.oldest-fields',      age],
  ['session.forget-codes',       age],
  ['refused-token.purge',        age],
  ['claims.page-end',            filling],
  ['claims.fill-page',           filling],
  ['claims.fill-uses',           filling],
]

/** True if a distributed database runs the statement at all. */
export const runsDistributed = (name: string): boolean =>
  !manyShards.some(([listed, reason]) => listed === name && (reason.startsWith('On one server') || reason === filling))

/** True if a distributed database runs the statement over several shards. */
export const runsOverShards = (name: string): boolean =>
  runsDistributed(name) && manyShards.some(([listed]) => listed === name)

/** Files that compose their statements while they run, with the reason why those name several merchants. */
// biome-ignore format: a table is read in columns.
export const composedStatements: readonly (readonly [file: string, reason: string])[] = [
  ['callbacks/callback-search.ts', panel],
  ['database/buckets.ts',          'It asks the catalogue of Citus whether payments are distributed.'],
  ['exports/movements.ts',         'It names its merchant; the filter is chosen while it runs.'],
  ['instance/due-counts.ts',       sum],
  ['months/carried-balances.ts',   'It finds the merchants of a month, and reads the sums of one after the other.'],
  ['months/removal-obstacles.ts',  age],
  ['months/removal.ts',            age],
  ['payments/holds.ts',            panel],
  ['payments/money-checks.ts',     panel],
  ['payments/newest-payments.ts',  panel],
  ['payments/payment-figures.ts',  panel],
  ['payments/search/payment-search.ts', panel],
  ['payments/search/search-windows.ts', panel],
  ['plans/coming-plans.ts',        panel],
  ['retention/removed-cards.ts',   'It waits for the writers of cards; its statements on cards have names and are listed above.'],
]
