/** Every row of the transitions of S2S APM: how it begins, what happens, its final status and its callbacks. Chapter 20 §15. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { Apm, openApmAccount } from '../../apm.ts'
import { type Answer, openShop, type RequestFields } from '../../shop.ts'
import { enableWallet } from '../../wallets/wallet-device.ts'

const shop = await openShop({}, ['chargebacks'])
const apm = new Apm(shop)
const wallet = await enableWallet(shop, { wallet: 'walletapay' })
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const by = (trigger: string): RequestFields => ({ identifier: `${trigger}@example.com` })
const bitcoin: RequestFields = {
  brand: 'crypto-pay',
  order_amount: '0.001',
  order_currency: 'BTC',
  identifier: undefined,
}
const voucher: RequestFields = { brand: 'voucher-cash', order_currency: 'USD', identifier: 'jane@example.com' }
const bank: RequestFields = { brand: 'bank-redirect', identifier: 'jane' }
const dms = { merchant: 'demo-dms' }
const holder = (name: string): RequestFields => ({ 'parameters[account_holder]': name })
const address = (word: string): RequestFields => ({ 'parameters[address]': word.padEnd(26, 'q') })

/** The account's own card number, whose bank challenges. */
async function walletSale(): Promise<Answer> {
  const token = await wallet.mint({ card: 'challenge', pan_type: 'FPAN' })
  return apm.sale({ brand: 'walletapay', identifier: 'payer@example.com', 'parameters[paymentToken]': token })
}

type Begin = () => Promise<Answer>
/** Something that happens to the payment; it gets the answer to the first request. */
type Step = (begun: Answer['body']) => Promise<unknown>

const follow =
  (action: string, over: RequestFields = {}): Step =>
  ({ trans_id }) =>
    apm.followUp(action, trans_id, over)
const complete = follow('DEBIT2VIRTUAL_COMPLETE')
const later =
  (seconds: number): Step =>
  () =>
    shop.advance(seconds * 1000)
const hour = 3600

const decides =
  (decision: 'approve' | 'decline'): Step =>
  async ({ redirect_url }) => {
    await fetch(redirect_url, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' })
    await shop.advance(20_000)
  }

const answersBank =
  (PaRes: 'approve' | 'decline'): Step =>
  async ({ redirect_params }) => {
    const { pathname } = new URL(redirect_params.TermUrl)
    await fetch(`${shop.url}${pathname}`, { method: 'POST', body: new URLSearchParams({ PaRes }), redirect: 'manual' })
  }

const reports =
  (report: string): Step =>
  async ({ trans_id }) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ report })
    await fetch(`${shop.sandbox.url}/trigger/${trans_id}`, { method: 'POST', headers, body })
    await shop.advance(20_000)
  }

/** From now on the provider executes such transactions but its answers are lost; status queries resolve them. */
const loseAnswersOf =
  (...types: readonly string[]): Step =>
  () =>
    shop.scenario({ types, drop_reply: { count: 1, of: 1 } })

const loseFirstAnswer =
  (type: string, begin: Begin): Begin =>
  async () => {
    await shop.scenario({ types: [type], drop_reply: { count: 1, of: 1 } })
    return begin()
  }

type Row = readonly [
  row: number,
  what: string,
  begin: Begin,
  steps: readonly Step[],
  status: string,
  transactions: string,
  told: readonly string[],
]

const saleSettled = 'SALE SUCCESS SETTLED'
const held = 'SALE SUCCESS PENDING'
const away = 'SALE REDIRECT REDIRECT'
const saleOpen = 'SALE UNDEFINED PREPARE'
const waits = 'SALE INIT PENDING'
const saleDeclined = 'SALE DECLINED DECLINED'
const debitSettled = 'DEBIT2VIRTUAL SUCCESS SETTLED'
const debitCalculated = 'DEBIT2VIRTUAL_CALC SUCCESS PREPARE'

// biome-ignore format: a table is read in columns.
const rows: readonly Row[] = [
  // row, what                                    begins with                                    then                                       status        transactions      callbacks
  [ 1, 'an ordinary sale',                        () => apm.sale(),                              [],                                        'SETTLED',    'SALE',           [saleSettled]],
  [ 2, 'auth=Y',                                  () => apm.hold(),                              [],                                        'PENDING',    'AUTH',           [held]],
  [ 3, 'auth=y',                                  () => apm.sale({ auth: 'y' }),                 [],                                        'SETTLED',    'SALE',           [saleSettled]],
  [ 4, 'a declined sale',                         () => apm.sale(by('fail')),                    [],                                        'DECLINED',   'SALE',           [saleDeclined]],
  [ 4, 'a declined hold',                         () => apm.hold(by('fail')),                    [],                                        'DECLINED',   'AUTH',           [saleDeclined]],
  [ 5, 'a payer who is redirected',               () => apm.sale(bank),                          [],                                        'REDIRECT',   'SALE REDIRECT',  [away]],
  [ 5, 'a payer who is authenticated',            walletSale,                                    [],                                        '3DS',        '3DS',            ['SALE REDIRECT 3DS']],
  [ 6, 'a sale whose outcome is unknown',         () => apm.sale(by('undefined')),               [],                                        'PREPARE',    'SALE',           [saleOpen]],
  [ 6, 'a hold whose outcome is unknown',         () => apm.hold(by('undefined')),               [],                                        'PREPARE',    'AUTH',           [saleOpen]],
  [ 7, 'crypto money',                            () => apm.sale(bitcoin),                       [],                                        'PENDING',    'SALE',           [waits]],
  [ 7, 'a voucher',                               () => apm.sale(voucher),                       [],                                        'PENDING',    'SALE',           [waits]],
  [ 8, 'REDIRECT, approved',                      () => apm.sale(bank),                          [decides('approve')],                      'SETTLED',    'SALE REDIRECT',  [away, saleSettled]],
  [ 8, 'REDIRECT of a hold, approved',            () => apm.hold(by('redirect')),                [decides('approve')],                      'PENDING',    'AUTH REDIRECT',  [away, held]],
  [ 8, '3DS, authenticated',                      walletSale,                                    [answersBank('approve')],                  'SETTLED',    '3DS SALE',       ['SALE REDIRECT 3DS', saleSettled]],
  [ 8, 'PREPARE, found executed',                 () => apm.sale(by('undefined')),               [later(31)],                               'SETTLED',    'SALE',           [saleOpen, saleSettled]],
  [ 8, 'PREPARE of a hold, found executed',       () => apm.hold(by('undefined')),               [later(31)],                               'PENDING',    'AUTH',           [saleOpen, held]],
  [ 9, 'REDIRECT, reported failed',               () => apm.sale(by('redirect-fail')),           [decides('approve')],                      'DECLINED',   'SALE REDIRECT',  [away, saleDeclined]],
  [ 9, '3DS, not authenticated',                  walletSale,                                    [answersBank('decline')],                  'DECLINED',   '3DS',            ['SALE REDIRECT 3DS', saleDeclined]],
  [ 9, '3DS, expired',                            walletSale,                                    [later(hour + 60)],                        'DECLINED',   '3DS',            ['SALE REDIRECT 3DS', saleDeclined]],
  [ 9, 'REDIRECT, cancelled by the payer',        () => apm.sale(bank),                          [decides('decline')],                      'DECLINED',   'SALE REDIRECT',  [away, saleDeclined]],
  [ 9, 'REDIRECT, expired',                       () => apm.sale(bank),                          [later(hour + 60)],                        'DECLINED',   'SALE REDIRECT',  [away, saleDeclined]],
  [ 9, 'PREPARE, found not executed',             () => apm.sale(by('undefined-fail')),          [later(31)],                               'DECLINED',   'SALE',           [saleOpen, saleDeclined]],
  [ 9, 'PENDING, expired at the provider',        () => apm.sale(voucher),                       [reports('expired')],                      'DECLINED',   'SALE',           [waits, saleDeclined]],
  [10, 'crypto money that arrives',               () => apm.sale(bitcoin),                       [reports('paid')],                         'SETTLED',    'SALE',           [waits, saleSettled]],
  [10, 'a voucher that is paid',                  () => apm.sale(voucher),                       [reports('paid')],                         'SETTLED',    'SALE',           [waits, saleSettled]],
  [11, 'CAPTURE',                                 () => apm.hold(),                              [follow('CAPTURE')],                       'SETTLED',    'AUTH CAPTURE',   [held, 'CAPTURE SUCCESS SETTLED']],
  [11, 'a CAPTURE that is declined',              () => apm.hold(by('capture-fail')),            [follow('CAPTURE')],                       'PENDING',    'AUTH CAPTURE',   [held, 'CAPTURE DECLINED PENDING']],
  [11, 'a CAPTURE whose answer is lost',          () => apm.hold(),                              [loseAnswersOf('capture'), follow('CAPTURE'), later(60)], 'SETTLED', 'AUTH CAPTURE', [held, 'CAPTURE UNDEFINED PENDING', 'CAPTURE SUCCESS SETTLED']],
  [12, 'CREDITVOID of a hold',                    () => apm.hold(),                              [follow('CREDITVOID')],                    'REVERSAL',   'AUTH REVERSAL',  [held, 'CREDITVOID SUCCESS REVERSAL']],
  [13, 'VOID of a hold',                          () => apm.hold(),                              [follow('VOID')],                          'PENDING',    'AUTH',           [held]],
  [14, 'CREDITVOID of all',                       () => apm.sale(),                              [follow('CREDITVOID')],                    'REFUND',     'SALE REFUND',    [saleSettled, 'CREDITVOID SUCCESS REFUND']],
  [14, 'a CREDITVOID whose answer is lost',       () => apm.sale(),                              [loseAnswersOf('refund'), follow('CREDITVOID'), later(60)], 'REFUND', 'SALE REFUND', [saleSettled, 'CREDITVOID UNDEFINED SETTLED', 'CREDITVOID SUCCESS REFUND']],
  [15, 'CREDITVOID of a part',                    () => apm.sale(),                              [follow('CREDITVOID', { amount: '4.00' })], 'SETTLED',   'SALE REFUND',    [saleSettled, 'CREDITVOID SUCCESS SETTLED']],
  [16, 'VOID',                                    () => apm.sale(),                              [follow('VOID')],                          'VOID',       'SALE VOID',      [saleSettled, 'VOID SUCCESS VOID']],
  [16, 'a VOID whose answer is lost',             () => apm.sale(),                              [loseAnswersOf('void'), follow('VOID'), later(60)], 'VOID',     'SALE VOID',      [saleSettled, 'VOID UNDEFINED SETTLED', 'VOID SUCCESS VOID']],
  [17, 'CREDITVOID of a debit',                   () => apm.debit(),                             [follow('CREDITVOID')],                    'REVERSAL',   'DEBIT REVERSAL', [debitSettled, 'CREDITVOID SUCCESS REVERSAL']],
  [17, 'CREDITVOID of a part of a debit',         () => apm.debit(),                             [follow('CREDITVOID', { amount: '4.00' })], 'SETTLED',   'DEBIT REVERSAL', [debitSettled, 'CREDITVOID SUCCESS SETTLED']],
  [18, 'a debit',                                 () => apm.debit(),                             [],                                        'SETTLED',    'DEBIT',          [debitSettled]],
  [18, 'a debit whose payer is needed',           () => apm.debit(by('redirect')),               [decides('approve')],                      'SETTLED',    'DEBIT REDIRECT', ['DEBIT2VIRTUAL SUCCESS REDIRECT', debitSettled]],
  [18, 'a debit whose outcome is unknown',        () => apm.debit(by('undefined')),              [],                                        'PREPARE',    'DEBIT',          ['DEBIT2VIRTUAL UNDEFINED PREPARE']],
  [18, 'a declined debit',                        () => apm.debit(by('fail')),                   [],                                        'DECLINED',   'DEBIT',          ['DEBIT2VIRTUAL DECLINED DECLINED']],
  [19, 'a calculation',                           () => apm.calculate(),                         [],                                        'PREPARE',    'CALC',           [debitCalculated]],
  [19, 'a calculation that nobody completes',     () => apm.calculate(),                         [later(31 * 60)],                          'DECLINED',   'CALC',           [debitCalculated, 'DEBIT2VIRTUAL_CALC DECLINED DECLINED']],
  [20, 'a completion',                            () => apm.calculate(),                         [complete],                                'SETTLED',    'CALC DEBIT',     [debitCalculated, debitSettled]],
  [20, 'a completion whose payer is needed',      () => apm.calculate(by('redirect')),           [complete],                                'REDIRECT',   'CALC DEBIT REDIRECT', [debitCalculated, 'DEBIT2VIRTUAL SUCCESS REDIRECT']],
  [20, 'a completion whose outcome is unknown',   () => apm.calculate(by('undefined')),          [complete],                                'PREPARE',    'CALC DEBIT',     [debitCalculated, 'DEBIT2VIRTUAL UNDEFINED PREPARE']],
  [20, 'a declined completion',                   () => apm.calculate(by('fail')),               [complete],                                'DECLINED',   'CALC DEBIT',     [debitCalculated, 'DEBIT2VIRTUAL DECLINED DECLINED']],
  [21, 'a payout',                                () => apm.payout(),                            [],                                        'SETTLED',    'CREDIT',         ['CREDIT2VIRTUAL SUCCESS SETTLED']],
  [21, 'a refused payout',                        () => apm.payout(holder('FAIL Jane')),         [],                                        'DECLINED',   'CREDIT',         ['CREDIT2VIRTUAL DECLINED DECLINED']],
  [21, 'a payout whose outcome is unknown',       () => apm.payout(holder('WAIT Jane')),         [],                                        'PREPARE',    'CREDIT',         ['CREDIT2VIRTUAL UNDEFINED PREPARE']],
  [22, 'a crypto payout that started',            () => apm.cryptoPayout(address('WAIT')),       [],                                        'PENDING',    'CREDIT',         ['CREDIT2CRYPTO INIT PENDING']],
  [22, 'a refused crypto payout',                 () => apm.cryptoPayout(address('FAIL')),       [],                                        'DECLINED',   'CREDIT',         ['CREDIT2CRYPTO DECLINED DECLINED']],
  [22, 'a crypto payout of unknown outcome',      loseFirstAnswer('credit', () => apm.cryptoPayout(address('WAIT'))), [],                       'PREPARE',    'CREDIT',         ['CREDIT2CRYPTO UNDEFINED PREPARE']],
  [23, 'PREPARE of a payout, done',               () => apm.payout(holder('WAIT Jane')),         [later(31)],                               'SETTLED',    'CREDIT',         ['CREDIT2VIRTUAL UNDEFINED PREPARE', 'CREDIT2VIRTUAL SUCCESS SETTLED']],
  [23, 'PENDING of a crypto payout, done',        () => apm.cryptoPayout(address('WAIT')),       [later(31)],                               'SETTLED',    'CREDIT',         ['CREDIT2CRYPTO INIT PENDING', 'CREDIT2CRYPTO SUCCESS SETTLED']],
  [24, 'a chargeback of a sale',                  () => apm.sale(by('chargeback')),              [later(90)],                               'CHARGEBACK', 'SALE CHARGEBACK', [saleSettled, 'CHARGEBACK SUCCESS CHARGEBACK']],
  [24, 'a chargeback of a debit',                 () => apm.debit(by('chargeback')),             [later(90)],                               'CHARGEBACK', 'DEBIT CHARGEBACK', [debitSettled, 'CHARGEBACK SUCCESS CHARGEBACK']],
  [24, 'a chargeback of what was refunded',       () => apm.sale(by('chargeback')),              [follow('CREDITVOID'), later(90)],         'CHARGEBACK', 'SALE REFUND CHARGEBACK', [saleSettled, 'CREDITVOID SUCCESS REFUND', 'CHARGEBACK SUCCESS CHARGEBACK']],
]

for (const [row, what, begin, steps, status, transactions, told] of rows) {
  test(`${row}: ${what} ends ${status}`, async () => {
    const { body } = await begin()
    for (const step of steps) await step(body)
    const found = await shop.callbacks(body.trans_id)
    assert.deepEqual(
      found.map(({ fields: { action, result, status: after_ } }) => `${action} ${result} ${after_}`),
      told,
    )
    assert.equal((await apm.status(body.trans_id)).body.status, status)
    assert.equal(await typesOf(body.trans_id), transactions)
  })
}

test('2: a plain sale on a MID in DMS mode ends PENDING', async () => {
  const { body } = await apm.sale({}, dms)
  assert.deepEqual([body.status, await typesOf(body.trans_id)], ['PENDING', 'AUTH'])
})

const refusalsOfNoMoney = [
  '208003 Not acceptable to request the capture for payment not in pending status.',
  '208005 Refund is not allowed',
  '100000 Void is not allowed.',
  '100000 Payment can not be completed.',
]

test('11: a hold without a decision is captured automatically by the setting of its MID', async () => {
  const merchant = await openApmAccount(shop, { mids: [{ autoCaptureHours: 2 }] })
  const { body } = await apm.hold({}, { merchant })
  await shop.advance(2 * hour * 1000)
  assert.deepEqual(
    (await shop.callbacks(body.trans_id)).map(({ fields }) => `${fields['action']} ${fields['status']}`),
    ['SALE PENDING', 'CAPTURE SETTLED'],
  )
})

test('11: while a CAPTURE is open no other command begins', async () => {
  const { body } = await apm.hold()
  await shop.scenario({ types: ['capture'], never_decide: true })
  assert.equal((await apm.followUp('CAPTURE', body.trans_id)).body.result, 'UNDEFINED')
  for (const action of ['CAPTURE', 'CREDITVOID']) {
    const { body: refused } = await apm.followUp(action, body.trans_id)
    assert.equal(refused.error_message, 'Previous transaction not completed.', action)
  }
})

// biome-ignore format: a table is read in columns.
const undecidedCases: readonly (readonly [status: string, begin: Begin])[] = [
  ['3DS',      walletSale],
  ['REDIRECT', () => apm.sale(bank)],
  ['PREPARE',  () => apm.sale(by('undefined'))],
  ['PENDING',  () => apm.sale(bitcoin)],
]

for (const [status, begin] of undecidedCases) {
  test(`in ${status}, before the first outcome, capture, refund, void and completion are refused`, async () => {
    const { body } = await begin()
    assert.equal(body.status, status)
    assert.deepEqual(await refusalsOf(body.trans_id), refusalsOfNoMoney)
  })
}

// biome-ignore format: a table is read in columns.
const finals: readonly (readonly [status: string, begin: Begin, steps: readonly Step[]])[] = [
  ['DECLINED',   () => apm.sale(by('fail')),       []],
  ['REVERSAL',   () => apm.hold(),                 [follow('CREDITVOID')]],
  ['REFUND',     () => apm.sale(),                 [follow('CREDITVOID')]],
  ['VOID',       () => apm.sale(),                 [follow('VOID')]],
  ['CHARGEBACK', () => apm.sale(by('chargeback')), [later(90)]],
]

for (const [status, begin, steps] of finals) {
  test(`25: in ${status} every command gets the error of its action and changes nothing`, async () => {
    const { body } = await begin()
    for (const step of steps) await step(body)
    await shop.service.awaitIdle()
    const before = await typesOf(body.trans_id)
    assert.deepEqual(await refusalsOf(body.trans_id), refusalsOfNoMoney)
    assert.deepEqual([(await apm.status(body.trans_id)).body.status, await typesOf(body.trans_id)], [status, before])
  })
}

async function refusalsOf(transId: string): Promise<readonly string[]> {
  const codes = []
  for (const action of ['CAPTURE', 'CREDITVOID', 'VOID', 'DEBIT2VIRTUAL_COMPLETE']) {
    const { body } = await apm.followUp(action, transId)
    codes.push(`${body.error_code} ${body.error_message}`)
  }
  return codes
}

async function typesOf(transId: string): Promise<string> {
  const { rows } = await shop.base.pool.query<{ types: string }>(
    `select string_agg(type, ' ' order by created_at, id) as types from transactions where payment_id = $1`,
    [transId],
  )
  return rows[0]?.types ?? ''
}
