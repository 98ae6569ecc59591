/** Routing rules over HTTP: their decisions about real payments, and the stored reasons. Chapter 50 §4. */
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { sentencesOf } from '#domain/routing/explanation.ts'
import { type AccountOptions, openAccount } from '../../account.ts'
import { chargeChain, startChain } from '../../chains.ts'
import { assertRefused } from '../../refusals.ts'
import { publishRules } from '../../rules.ts'
import { formOf, openShop, type RequestFields } from '../../shop.ts'
import { enableWallet } from '../../wallets/wallet-device.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const twoMids: AccountOptions = { mids: [{}, {}] }

/** A SALE and the number of the MID that executed it. */
async function routedMid(merchant: string, over: RequestFields = {}): Promise<string> {
  const { body } = await shop.sale(over, { merchant })
  const { rows } = await shop.base.pool.query<{ name: string }>(
    'select mids.name from payments join mids on mids.id = mid_id where payments.id = $1',
    [body.trans_id],
  )
  return (rows[0]?.name ?? '').replace(/^.*-/, '')
}

async function routingOf(transId: string) {
  const { rows } = await shop.base.pool.query('select routing, decline_reason from payments where id = $1', [transId])
  return rows[0]
}

describe('an order of MIDs', () => {
  test('takes precedence over the mapping’s priority, for the payments that match the rule', async () => {
    const merchant = await openAccount(shop, twoMids)
    assert.equal(await routedMid(merchant), '1')
    await publishRules(shop, merchant, {
      name: 'large amounts',
      conditions: [{ kind: 'amount', currency: 'EUR', fromMinor: '2000' }],
      action: { kind: 'use', mids: [`${merchant}-2`] },
    })
    assert.equal(await routedMid(merchant), '1')
    assert.equal(await routedMid(merchant, { order_amount: '20.00' }), '2')
    assert.equal(await routedMid(merchant, { order_amount: '20.00', order_currency: 'USD' }), '1')
  })

  test('of the merchant’s own rules takes precedence over the rules for all merchants', async () => {
    const merchant = await openAccount(shop, twoMids)
    const other = await openAccount(shop, twoMids)
    const mids = [`${merchant}-2`, `${other}-2`]
    await publishRules(shop, null, { name: 'all', action: { kind: 'use', mids } })
    assert.deepEqual([await routedMid(merchant), await routedMid(other)], ['2', '2'])
    await publishRules(shop, merchant, { name: 'own', action: { kind: 'use', mids: [`${merchant}-1`] } })
    assert.deepEqual([await routedMid(merchant), await routedMid(other)], ['1', '2'])
    await publishRules(shop, null)
    assert.deepEqual([await routedMid(merchant), await routedMid(other)], ['1', '1'])
  })

  test('sees network, BIN, country, custom_data and payment mode of the request, within its channel', async () => {
    const mids = [{}, {}, { mapping: { channel: 'app' } }]
    const merchant = await openAccount(shop, { mids })
    const go = { kind: 'use', mids: [`${merchant}-2`] }
    const rules = [
      { kind: 'network', values: ['mastercard'] },
      { kind: 'bin', ranges: [{ from: '37828200', to: '37828299' }] },
      { kind: 'payer-country', values: ['FR'] },
      { kind: 'custom-data', key: 'tier', values: ['gold'] },
      { kind: 'payment-mode', values: ['DMS'] },
    ].map((condition) => ({ name: condition.kind, conditions: [condition], action: go }))
    await publishRules(shop, merchant, ...rules)
    assert.equal(await routedMid(merchant), '1')
    assert.equal(await routedMid(merchant, { card_number: '5555555555554444' }), '2')
    assert.equal(await routedMid(merchant, { card_number: '378282246310005' }), '2')
    assert.equal(await routedMid(merchant, { payer_country: 'FR' }), '2')
    assert.equal(await routedMid(merchant, { 'custom_data[tier]': 'gold' }), '2')
    assert.equal(await routedMid(merchant, { auth: 'Y' }), '2')
    assert.equal(
      await routedMid(merchant, { channel_id: 'app', payer_country: 'FR' }),
      '3',
      'rules never widen the channel',
    )
  })

  test('by split: both MIDs get payments', async () => {
    const merchant = await openAccount(shop, twoMids)
    const shares = [1, 2].map((number) => ({ mid: `${merchant}-${number}`, weight: 1 }))
    await publishRules(shop, merchant, { name: 'half', action: { kind: 'split', shares } })
    const mids = await Promise.all(Array.from({ length: 16 }, () => routedMid(merchant)))
    assert.deepEqual([...new Set(mids)].toSorted(), ['1', '2'])
  })
})

describe('a decline by a rule', () => {
  test('is a declined payment with the reason, without a request to an acquirer', async () => {
    const merchant = await openAccount(shop, twoMids)
    const action = { kind: 'decline', reason: 'Not sold to this country' }
    const conditions = [{ kind: 'payer-country', values: ['KP'] }]
    await publishRules(shop, merchant, { name: 'embargo', conditions, action })
    const { body } = await shop.sale({ payer_country: 'KP' }, { merchant })
    assert.deepEqual([body.result, body.status, body.decline_reason], ['DECLINED', 'DECLINED', action.reason])
    assert.deepEqual(await shop.readExecuted(body.trans_id), [])
    const callbacks = await shop.callbacks(body.trans_id)
    assert.deepEqual(
      callbacks.map(({ fields }) => [fields['result'], fields['decline_reason']]),
      [['DECLINED', action.reason]],
    )
    const { body: other } = await shop.sale({ payer_country: 'FR' }, { merchant })
    assert.equal(other.result, 'SUCCESS')
  })
})

describe('exclusion', () => {
  test('drops the MID, and answers 204002 if none is left', async () => {
    const merchant = await openAccount(shop, twoMids)
    await publishRules(shop, merchant, { name: 'x', action: { kind: 'exclude', mids: [`${merchant}-1`] } })
    assert.equal(await routedMid(merchant), '2')
    const all = [`${merchant}-1`, `${merchant}-2`]
    await publishRules(shop, merchant, { name: 'x', action: { kind: 'exclude', mids: all } })
    assertRefused(await shop.sale({}, { merchant }), 204002, 'Enabled merchant mappings or MIDs not found.')
  })
})

describe('3-D Secure by a rule', () => {
  const withMpi: AccountOptions = { ...twoMids, merchant: { mpiService: 'sandbox' } }

  test('skipped: the payer is not authenticated', async () => {
    const merchant = await openAccount(shop, withMpi)
    const frictionless = { card_exp_month: '01', card_exp_year: '2040' }
    const authenticated = async () => {
      const { body } = await shop.sale(frictionless, { merchant })
      assert.equal(body.result, 'SUCCESS')
      const sql = "select facts->'threeDs' as authentication from payments where id = $1"
      return (await shop.base.pool.query(sql, [body.trans_id])).rows[0]?.authentication !== null
    }
    assert.equal(await authenticated(), true)
    await publishRules(shop, merchant, { name: 'trusted', action: { kind: 'skip-3ds' } })
    assert.equal(await authenticated(), false)
  })

  test('required: a card that is not enrolled is declined, without a request to an acquirer', async () => {
    const merchant = await openAccount(shop, withMpi)
    assert.equal((await shop.sale({}, { merchant })).body.result, 'SUCCESS')
    await publishRules(shop, merchant, { name: 'strict', action: { kind: 'require-3ds' } })
    const { body } = await shop.sale({}, { merchant })
    assert.deepEqual([body.result, body.decline_reason], ['DECLINED', 'Authentication required'])
    assert.deepEqual(await shop.readExecuted(body.trans_id), [])
  })

  test('required: 204005 if the merchant has no MPI service, but never for MOTO or with mpi_data', async () => {
    const merchant = await openAccount(shop, twoMids)
    await publishRules(shop, merchant, { name: 'strict', action: { kind: 'require-3ds' } })
    assertRefused(await shop.sale({}, { merchant }), 204005, 'Payment action not supported.')
    const mpiData = {
      'mpi_data[eci]': '05',
      'mpi_data[authentication_value]': 'AJkBBkhgQQAAAE4gSEJydQAAAAA=',
      'mpi_data[ds_trans_id]': 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
      'mpi_data[3ds_version]': '2.2.0',
    }
    for (const over of [{ moto_type: 'phone_moto' }, mpiData])
      assert.equal((await shop.sale(over, { merchant })).body.result, 'SUCCESS')
  })
})

describe('a wallet', () => {
  test('is visible to rules if decrypted: number, network and pan_type', async () => {
    const merchant = await openAccount(shop, twoMids)
    const device = await enableWallet(shop, { wallet: 'walletapay', merchant })
    await publishRules(shop, merchant, {
      name: 'devices',
      conditions: [
        { kind: 'pan-type', values: ['DPAN'] },
        { kind: 'network', values: [] },
      ],
      action: { kind: 'use', mids: [`${merchant}-2`] },
    })
    const { body } = await device.sale(await device.mint({ pan_type: 'DPAN' }))
    assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
    const { routing } = await routingOf(body.trans_id)
    assert.deepEqual([routing.rule?.name, routing.ordered[0].midName], ['devices', `${merchant}-2`])
  })

  test('is not visible to rules if its token is passed on: neither order nor decline applies', async () => {
    const passing = { cardFlow: true, acceptsDecrypted: false }
    const merchant = await openAccount(shop, { mids: [passing, passing] })
    const device = await enableWallet(shop, { wallet: 'walletapay', merchant })
    await publishRules(
      shop,
      merchant,
      { name: 'second', action: { kind: 'use', mids: [`${merchant}-2`] } },
      { name: 'no', action: { kind: 'decline', reason: 'No' } },
    )
    const { body } = await device.sale(await device.mint({}))
    assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
    const { routing } = await routingOf(body.trans_id)
    assert.deepEqual([routing.rule, routing.ordered[0].midName], [null, `${merchant}-1`])
  })
})

describe('a charge without the payer', () => {
  test('is initiated by the merchant: rules about the initiator apply, and the chain’s own MID precedes their order', async () => {
    const merchant = await openAccount(shop, twoMids)
    const pair = await startChain(shop, {}, { merchant })
    const charged = async () => {
      const { body } = await chargeChain(shop, pair, {}, { merchant })
      return (await routingOf(body.trans_id)).routing.ordered.map(({ midName }: { midName: string }) => midName)
    }
    const conditions = [{ kind: 'initiator', values: ['merchant'] }]
    await publishRules(shop, merchant, { name: 'mit', conditions, action: { kind: 'use', mids: [`${merchant}-2`] } })
    assert.deepEqual(await charged(), [`${merchant}-1`, `${merchant}-2`])
    await publishRules(shop, merchant, {
      name: 'mit',
      conditions,
      action: { kind: 'exclude', mids: [`${merchant}-1`] },
    })
    assert.deepEqual(await charged(), [`${merchant}-2`])
  })
})

describe('the explanation', () => {
  test('states from the stored payment alone why it was routed as it was', async () => {
    const merchant = await openAccount(shop, { mids: [{ currencies: ['USD'] }, {}, {}] })
    await publishRules(shop, merchant, {
      name: 'third first',
      conditions: [{ kind: 'network', values: ['visa'] }],
      action: { kind: 'use', mids: [`${merchant}-3`] },
      maximumAttempts: 2,
    })
    const { body } = await shop.sale({}, { merchant })
    const { routing } = await routingOf(body.trans_id)
    assert.deepEqual([routing.rule.name, routing.rule.version, routing.rule.set], ['third first', 1, 'merchant'])
    assert.equal(routing.maximumAttempts, 2)
    const explanation = sentencesOf(routing).join('\n')
    assert.match(explanation, /Rule 1 "third first" of the merchant's rules, version 1, matches\. .*visa/)
    assert.match(explanation, new RegExp(`${merchant}-1 was left out\\. The MID does not take the currency`))
    assert.match(explanation, new RegExp(`${merchant}-3 goes first\\. By the rule "third first"`))
    assert.match(explanation, new RegExp(`${merchant}-2 would be number 2`))
    assert.match(explanation, /Up to 2 MIDs may be tried/)
  })
})

describe('the statements of a SALE', () => {
  const asking = new AsyncLocalStorage<string[]>()
  const original = Client.prototype.query
  before(() => {
    // All statements of the service pass here, whatever connection they use; those of workers are not counted.
    Client.prototype.query = function noted(this: Client, ...queryArguments: never[]) {
      const { name } = (queryArguments[0] ?? {}) as { name?: string }
      if (name) asking.getStore()?.push(name)
      return Reflect.apply(original, this, queryArguments)
    } as typeof original
  })
  after(() => {
    Client.prototype.query = original
  })

  async function statementsOf(merchant: string, over: RequestFields = {}): Promise<readonly string[]> {
    const names: string[] = []
    const payload = formOf(shop.saleFields(over, { merchant })).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    // Awaited inside, because the request begins only when its promise is awaited.
    const sale = async () => await shop.service.app.inject({ method: 'POST', url: '/post', headers, payload })
    const { body } = await asking.run(names, sale)
    assert.match(JSON.parse(body).result, /^(SUCCESS|DECLINED)$/)
    // The callback worker was woken by the sale and runs on its own.
    return names.filter((name) => !name.startsWith('callback'))
  }

  const plain = ['payment.open-card', 'transaction.settle']

  test('are two, whether approved or declined for good', async () => {
    const merchant = await openAccount(shop, twoMids)
    assert.deepEqual(await statementsOf(merchant), plain)
    assert.deepEqual(await statementsOf(merchant, { card_exp_month: '09' }), plain)
    const single = await openAccount(shop)
    assert.deepEqual(await statementsOf(single, { card_exp_month: '02' }), plain)
  })

  // biome-ignore format: a table is read in columns.
  const actions: readonly (readonly [string, (mids: readonly string[]) => object])[] = [
    ['in a fixed order',           (mids)           => ({ kind: 'use', mids: mids.toReversed() })],
    ['split by weight',            (mids)           => ({ kind: 'split', shares: mids.map((mid) => ({ mid, weight: 1 })) })],
    ['preferred by approval rate', ()               => ({ kind: 'prefer' })],
    ['with exclusions',            ([, second = '']) => ({ kind: 'exclude', mids: [second] })],
  ]

  for (const [how, action] of actions) {
    test(`are the same with rules that read the payment, its MIDs ${how}`, async () => {
      const merchant = await openAccount(shop, twoMids)
      const conditions = [
        { kind: 'network', values: ['visa'] },
        { kind: 'share', percent: 100 },
      ]
      const mids = [`${merchant}-1`, `${merchant}-2`]
      await publishRules(shop, merchant, { name: how, conditions, action: action(mids) })
      assert.deepEqual(await statementsOf(merchant), plain)
    })
  }
})
