/** Rules, written from chapter 50 §4: every condition, every action, and which rule counts when several match. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Tally } from './approval.ts'
import { evaluate, maximumAttempts, type RoutingWorld } from './evaluate.ts'
import { route } from './route.ts'
import type { Action, Condition, Rule, RuleSet } from './rule.ts'
import { type RiskFindings, type RiskMatch, type RuleInputs, ruleInputsOf } from './rule-inputs.ts'
import { candidateNamed, plainNeed } from './testing/example.ts'

const seed = '0198c0de-0000-7000-8000-000000000001'
/** A Tuesday. */
const noon = new Date('2026-03-03T12:00:00Z')
const inputs: RuleInputs = ruleInputsOf(
  { ...plainNeed, payerCountry: 'FR', channelId: 'web', customData: { tier: 'gold', count: 3 } },
  { country: 'DE', bank: null, funding: 'debit' },
  noon,
)
const midNames = ['a', 'b', 'c']
const world: RoutingWorld = {
  candidates: midNames.map((name) => ({ id: `mid-${name}`, name })),
  midId: (name) => (midNames.includes(name) ? `mid-${name}` : null),
  health: (id) => (id === 'mid-b' ? 'open' : 'closed'),
  tally: (id): Tally => (id === 'mid-a' ? { approved: 90, declined: 10 } : { approved: 0, declined: 0 }),
}

const using = (mids: readonly string[], only: boolean): Action => ({ kind: 'use', mids, only })
const use = (...mids: readonly string[]): Action => using(mids, false)
const rule = (name: string, action: Action, more: Partial<Rule> = {}): Rule => ({
  name,
  enabled: true,
  conditions: [],
  action,
  maximumAttempts: null,
  final: false,
  ...more,
})
const globalSet = (...rules: readonly Rule[]): RuleSet => ({ merchantId: null, version: 4, rules })
const ownSet = (...rules: readonly Rule[]): RuleSet => ({ merchantId: 'shop', version: 2, rules })
const evaluated = (...sets: readonly RuleSet[]) => evaluate(sets, inputs, world, seed)
const orderOf = (...sets: readonly RuleSet[]) =>
  evaluated(...sets)
    .order?.mids.map(({ midId }) => midId)
    .join(' ')
const holds = (condition: Condition, about: Partial<RuleInputs> = {}): boolean =>
  evaluate([globalSet(rule('r', use('a'), { conditions: [condition] }))], { ...inputs, ...about }, world, seed)
    .order !== null

const found = (list: RiskMatch['list'], total: bigint | null = 0n): RiskFindings => ({
  listed: [{ list, kind: 'email', reason: 'a test' }],
  velocity: () => total,
})

test('amounts in an explanation are money', () => {
  const conditions: readonly Condition[] = [
    { kind: 'amount', not: false, currency: 'EUR', fromMinor: '100000', toMinor: null },
  ]
  const { lookedAt } = evaluated(globalSet(rule('large', use('a'), { conditions })))
  assert.equal(lookedAt[0]?.conditions[0]?.says, 'Asks for an amount from 1000.00 EUR; found 10.00 EUR.')
})

test('what was not looked up meets neither a condition on risk nor its negation', () => {
  for (const not of [false, true]) assert.equal(holds({ kind: 'risk-list', not, lists: ['block'] }), false)
})

describe('conditions', () => {
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [string, object, Partial<RuleInputs>, Partial<RuleInputs>])[] = [
    // title                        condition                                                        holds with                          and not with
    ['amount range',                { kind: 'amount', currency: 'EUR', fromMinor: '1000', toMinor: '1999' }, { amountMinor: 1000n },     { amountMinor: 2000n }],
    ['an open end of the range',    { kind: 'amount', currency: 'EUR', fromMinor: '1000', toMinor: null },   { amountMinor: 10n ** 20n }, { amountMinor: 999n }],
    ['the range’s own currency',    { kind: 'amount', currency: 'EUR', fromMinor: null, toMinor: '5000' },   { currency: 'EUR' },        { currency: 'USD' }],
    ['risk list',                   { kind: 'risk-list', lists: ['block', 'review'] },               { risk: found('review') },          { risk: found('allow') }],
    ['velocity by count',           { kind: 'velocity', per: 'card', windowMinutes: 60, currency: null, moreThan: '3' }, { risk: found('block', 4n) }, { risk: found('block', 3n) }],
    ['velocity of an attribute that the payment has', { kind: 'velocity', per: 'ip', windowMinutes: 60, currency: null, moreThan: '0' }, { risk: found('block', 1n) }, { risk: found('block', null) }],
    ['currency',                    { kind: 'currency', values: ['EUR', 'USD'] },                    { currency: 'USD' },                { currency: 'GBP' }],
    ['payer country',               { kind: 'payer-country', values: ['FR'] },                       { payerCountry: 'FR' },             { payerCountry: null }],
    ['issuer country',              { kind: 'issuer-country', values: ['DE'] },                      { issuerCountry: 'DE' },            { issuerCountry: undefined }],
    ['BIN',                         { kind: 'bin', ranges: [{ from: '411111', to: '411111' }] },     { bin: '41111199' },                { bin: '41111299' }],
    ['BIN range',                   { kind: 'bin', ranges: [{ from: '41110000', to: '41119999' }] }, { bin: '41115555' },                { bin: '41120000' }],
    ['network',                     { kind: 'network', values: ['visa'] },                           { network: 'visa' },                { network: 'mastercard' }],
    ['funding type',                { kind: 'funding', values: ['debit'] },                          { funding: 'debit' },               { funding: 'credit' }],
    ['brand',                       { kind: 'brand', values: ['pix'] },                              { brand: 'pix' },                   { brand: null }],
    ['wallet',                      { kind: 'wallet', values: ['walletapay'] },                      { wallet: 'walletapay' },           { wallet: null }],
    ['any wallet',                  { kind: 'wallet', values: [] },                                  { wallet: 'walletbpay' },           { wallet: null }],
    ['pan_type',                    { kind: 'pan-type', values: ['DPAN'] },                          { panType: 'DPAN' },                { panType: 'FPAN' }],
    ['wallet B’s assurance',        { kind: 'wallet-assurance', values: ['both'] },                  { walletAssurance: 'both' },        { walletAssurance: 'cardholder' }],
    ['any assurance',               { kind: 'wallet-assurance', values: [] },                        { walletAssurance: 'none' },        { walletAssurance: null }],
    ['payment mode',                { kind: 'payment-mode', values: ['DMS'] },                       { paymentMode: 'DMS' },             { paymentMode: 'SMS' }],
    ['protocol',                    { kind: 'protocol', values: ['CHECKOUT'] },                      { protocol: 'CHECKOUT' },           { protocol: 'S2S_APM' }],
    ['initiator',                   { kind: 'initiator', values: ['merchant'] },                     { initiator: 'merchant' },          { initiator: 'cardholder' }],
    ['recurring',                   { kind: 'recurring', values: ['charge'] },                       { recurring: 'charge' },            { recurring: 'init' }],
    ['any recurring',               { kind: 'recurring', values: [] },                               { recurring: 'init' },              { recurring: 'none' }],
    ['moto_type',                   { kind: 'moto-type', values: ['phone_moto'] },                   { motoType: 'phone_moto' },         { motoType: null }],
    ['channel',                     { kind: 'channel', values: ['web'] },                            { channel: 'web' },                 { channel: null }],
    ['time of day',                 { kind: 'time-of-day', zone: 'UTC', from: '09:00', to: '17:00' }, { at: noon },                      { at: new Date('2026-03-03T17:00:00Z') }],
    ['time of day in a zone',       { kind: 'time-of-day', zone: 'Asia/Tokyo', from: '20:00', to: '22:00' }, { at: noon },               { at: new Date('2026-03-03T20:00:00Z') }],
    ['a night',                     { kind: 'time-of-day', zone: 'UTC', from: '22:00', to: '06:00' }, { at: new Date('2026-03-03T23:00:00Z') }, { at: noon }],
    ['weekday',                     { kind: 'weekday', zone: 'UTC', days: [2] },                     { at: noon },                       { at: new Date('2026-03-04T12:00:00Z') }],
    ['custom_data key',             { kind: 'custom-data', key: 'tier', values: [] },                { customData: { tier: 'x' } },      { customData: { other: 'x' } }],
    ['custom_data value',           { kind: 'custom-data', key: 'count', values: ['3'] },            { customData: { count: 3 } },       { customData: { count: 4 } }],
  ]
  for (const [title, condition, met, unmet] of rows) {
    test(title, () => {
      // A row writes a condition without the member that most have in common.
      const queries = { not: false, ...condition } as Condition
      assert.equal(holds(queries, met), true)
      assert.equal(holds(queries, unmet), false)
      assert.equal(holds({ ...queries, not: true }, met), false, 'turned round')
    })
  }

  test('an unknown attribute meets neither a condition nor its negation', () => {
    for (const not of [false, true]) {
      assert.equal(holds({ kind: 'network', not, values: ['visa'] }, { network: undefined }), false)
      assert.equal(holds({ kind: 'bin', not, ranges: [{ from: '411111', to: '411111' }] }, { bin: undefined }), false)
    }
    assert.equal(holds({ kind: 'wallet', not: true, values: [] }, { wallet: null }), true, 'none is known to be none')
  })

  test('six known digits are in a range of eight only if every continuation is', () => {
    const condition: Condition = { kind: 'bin', not: false, ranges: [{ from: '41111100', to: '41111149' }] }
    assert.equal(holds(condition, { bin: '41111130' }), true)
    assert.equal(holds(condition, { bin: '411111' }), false)
    assert.equal(holds({ ...condition, ranges: [{ from: '41111000', to: '41111199' }] }, { bin: '411111' }), true)
  })

  test('the health of a MID', () => {
    assert.equal(holds({ kind: 'mid-health', not: false, mid: 'b', states: ['open'] }), true)
    assert.equal(holds({ kind: 'mid-health', not: false, mid: 'a', states: ['open', 'half-open'] }), false)
    assert.equal(holds({ kind: 'mid-health', not: true, mid: 'gone', states: ['open'] }), false)
  })

  test('the approval rate of a MID over a window, once there are enough answers', () => {
    const rate = { kind: 'mid-approval-rate', not: false, mid: 'a', windowMinutes: 60, minimumAnswers: 20 } as const
    assert.equal(holds({ ...rate, fromPercent: 90, belowPercent: null }), true)
    assert.equal(holds({ ...rate, fromPercent: null, belowPercent: 90 }), false)
    assert.equal(holds({ ...rate, fromPercent: null, belowPercent: 95, minimumAnswers: 101 }), false)
    assert.equal(holds({ ...rate, mid: 'c', fromPercent: null, belowPercent: 50 }), false, 'nothing was heard of it')
  })

  test('a share of payments is drawn by payment and rule, and has the configured size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), fc.string(), (percent, name) => {
        const share: Condition = { kind: 'share', not: false, percent }
        const set = globalSet(rule(name, use('a'), { conditions: [share] }))
        const ids = Array.from({ length: 400 }, (_, number) => `0198c0de-${number}`)
        const matched = ids.filter((id) => evaluate([set], inputs, world, id).order !== null).length / ids.length
        const tolerance = 5 * Math.sqrt(((percent / 100) * (1 - percent / 100)) / ids.length)
        assert.ok(Math.abs(matched - percent / 100) <= tolerance, `${matched} instead of ${percent} %`)
      }),
      { numRuns: 20, seed: 7 },
    )
  })

  test('every condition of a rule must hold, and the reasons name the actual values', () => {
    const conditions: readonly Condition[] = [
      { kind: 'currency', not: false, values: ['EUR'] },
      { kind: 'network', not: false, values: ['amex'] },
      { kind: 'channel', not: false, values: ['web'] },
    ]
    const { order, lookedAt } = evaluated(globalSet(rule('r', use('a'), { conditions })))
    assert.equal(order, null)
    assert.deepEqual(
      lookedAt[0]?.conditions.map(({ kind, holds: met }) => [kind, met]),
      [
        ['currency', true],
        ['network', false],
      ],
    )
    assert.match(lookedAt[0]?.conditions[1]?.says ?? '', /amex.*visa/)
  })

  test('a value of custom_data that no rule names is not repeated in the reasons', () => {
    const conditions: readonly Condition[] = [{ kind: 'custom-data', not: false, key: 'tier', values: ['silver'] }]
    assert.doesNotMatch(JSON.stringify(evaluated(globalSet(rule('r', use('a'), { conditions }))).lookedAt), /gold/)
  })
})

describe('which rule counts', () => {
  test('the first that matches orders the MIDs, the merchant’s before that of all', () => {
    assert.equal(orderOf(globalSet(rule('1', use('b')), rule('2', use('c')))), 'mid-b')
    assert.equal(orderOf(ownSet(rule('own', use('c'))), globalSet(rule('all', use('b')))), 'mid-c')
    const { order } = evaluated(ownSet(rule('own', use('c'), { enabled: false })), globalSet(rule('all', use('b'))))
    assert.deepEqual(order?.rule, { set: 'global', version: 4, position: 1, name: 'all' })
  })

  test('each question has its own first: order, 3-D Secure, methods, decline, attempts', () => {
    const found = evaluated(
      globalSet(
        rule('a', { kind: 'require-3ds' }),
        rule('b', use('b'), { maximumAttempts: 2 }),
        rule('c', { kind: 'skip-3ds' }, { maximumAttempts: 5 }),
        rule('d', { kind: 'hide-methods', methods: ['pix'] }),
        rule('e', { kind: 'show-methods', methods: ['card'] }),
        rule('f', { kind: 'decline', reason: 'First' }),
        rule('g', { kind: 'decline', reason: 'Second' }),
      ),
    )
    assert.equal(found.threeDs?.wish, 'require')
    assert.equal(found.order?.rule.name, 'b')
    assert.equal(found.attempts?.maximum, 2)
    assert.deepEqual([found.methods?.action, found.methods?.codes], ['hide', ['pix']])
    assert.equal(found.decline?.reason, 'First')
  })

  test('exclusions add up', () => {
    const { excluded } = evaluated(
      ownSet(rule('1', { kind: 'exclude', mids: ['a'] })),
      globalSet(rule('2', { kind: 'exclude', mids: ['b', 'a'] })),
    )
    assert.deepEqual(
      [...excluded].map(([id, { name }]) => `${id} ${name}`).toSorted((a, b) => (a < b ? -1 : 1)),
      ['mid-a 1', 'mid-b 2'],
    )
  })

  test('a final rule ends the evaluation when it matches', () => {
    const sets = (matches: boolean) => [
      ownSet(rule('vip', use('c'), { final: true, conditions: [{ kind: 'channel', not: !matches, values: ['web'] }] })),
      globalSet(rule('no', { kind: 'decline', reason: 'No' })),
    ]
    assert.equal(evaluated(...sets(true)).decline, null)
    assert.equal(evaluated(...sets(false)).decline?.reason, 'No')
  })

  test('attempts are 3 unless a rule says otherwise, and never more than 5', () => {
    assert.equal(maximumAttempts(evaluated()), 3)
    assert.equal(maximumAttempts(evaluated(globalSet(rule('r', use('a'), { maximumAttempts: 1 })))), 1)
    assert.equal(maximumAttempts(evaluated(globalSet(rule('r', use('a'), { maximumAttempts: 9 })))), 5)
  })
})

describe('actions', () => {
  const candidates = midNames.map((name, index) => candidateNamed(name, { mapping: { priority: index } }))
  const routed = (...rules: readonly Rule[]) => route(plainNeed, candidates, seed, evaluated(globalSet(...rules)))
  const names = (...rules: readonly Rule[]) =>
    routed(...rules)
      .ordered.map(({ mid }) => mid.name)
      .join(' ')

  test('use these MIDs in this order, and then the others', () => {
    assert.equal(names(rule('r', use('c', 'a'))), 'c a b')
  })
  test('use only these', () => {
    const { ordered, dropped } = routed(rule('r', using(['c'], true)))
    assert.deepEqual(
      ordered.map(({ mid }) => mid.name),
      ['c'],
    )
    assert.deepEqual(
      dropped.map(({ midName }) => midName),
      ['a', 'b'],
    )
  })
  test('exclude, and 204002 when no MID is left', () => {
    assert.equal(names(rule('r', { kind: 'exclude', mids: ['a'] })), 'b c')
    const { refusal, explanation } = routed(rule('r', { kind: 'exclude', mids: midNames }))
    assert.equal(refusal?.code, 204002)
    assert.match(explanation.dropped[0]?.reason ?? '', /"r"/)
  })
  test('decline with a reason, naming the MID that would have taken it', () => {
    const { declined, ordered, refusal } = routed(rule('r', { kind: 'decline', reason: 'Not here' }))
    assert.deepEqual([declined, ordered[0]?.mid.name, refusal], ['Not here', 'a', null])
  })
  test('a rule never gives a payment to a MID that could not take it', () => {
    const rules = evaluated(globalSet(rule('r', use('c'))))
    const all = [...candidates.slice(0, 2), candidateNamed('c', { mid: { currencies: ['USD'] } })]
    assert.deepEqual(
      route(plainNeed, all, seed, rules).ordered.map(({ mid }) => mid.name),
      ['a', 'b'],
    )
  })
  test('requiring 3-D Secure leaves MIDs that take its data, except for payments without a payer present', () => {
    const rules = evaluated(globalSet(rule('r', { kind: 'require-3ds' })))
    const blind = [candidateNamed('a', { can: { externalThreeDs: false } })]
    assert.equal(route(plainNeed, blind, seed, rules).refusal?.code, 204005)
    assert.equal(route({ ...plainNeed, motoType: 'phone_moto' }, blind, seed, rules).refusal, null)
    assert.equal(route({ ...plainNeed, initiator: 'merchant' }, blind, seed, rules).refusal, null)
    assert.equal(route(plainNeed, candidates, seed, rules).threeDs, 'require')
  })
  test('split by weight: each is first as often as its share says, and the same payment splits the same', () => {
    const shares = [
      { mid: 'a', weight: 70 },
      { mid: 'b', weight: 20 },
      { mid: 'c', weight: 10 },
    ]
    const set = globalSet(rule('r', { kind: 'split', shares }))
    const first = (id: string) => evaluate([set], inputs, world, id).order?.mids[0]?.midId
    const ids = Array.from({ length: 5000 }, (_, number) => `0198c0de-0000-7000-8000-${number}`)
    const firsts = ids.map(first)
    assert.deepEqual(firsts, ids.map(first))
    for (const { mid, weight } of shares) {
      const share = firsts.filter((id) => id === `mid-${mid}`).length / ids.length
      assert.ok(Math.abs(share - weight / 100) < 0.03, `${mid}: ${share}`)
    }
  })
  test('prefer by approval rate: the better one nearly always, within the cell of the payment', () => {
    const queries: unknown[] = []
    const rates: Readonly<Record<string, Tally>> = {
      'mid-a': { approved: 100, declined: 900 },
      'mid-b': { approved: 900, declined: 100 },
      'mid-c': { approved: 500, declined: 500 },
    }
    const ratedWorld: RoutingWorld = {
      ...world,
      tally: (id, cell, minutes) => {
        queries.push([cell, minutes])
        return rates[id] ?? { approved: 0, declined: 0 }
      },
    }
    const action: Action = { kind: 'prefer', mids: [], method: 'thompson', windowMinutes: 90, exploration: 0.01 }
    const set = globalSet(rule('r', action))
    const firsts = Array.from(
      { length: 300 },
      (_, number) => evaluate([set], inputs, ratedWorld, `p${number}`).order?.mids[0],
    )
    assert.ok(firsts.filter((first) => first?.midId === 'mid-b').length > 280)
    assert.deepEqual(queries[0], [{ network: 'visa', country: 'DE', currency: 'EUR' }, 90])
    assert.match(firsts.find((first) => first?.midId === 'mid-b')?.says ?? '', /90\.0 % of 1000/)
  })
})

describe('the evaluation', () => {
  const anyAction = fc.constantFrom<Action>(
    use('a', 'b'),
    { kind: 'split', shares: [{ mid: 'b', weight: 1 }] },
    { kind: 'exclude', mids: ['c'] },
    { kind: 'decline', reason: 'x' },
    { kind: 'skip-3ds' },
  )
  const anyRules = fc.array(
    fc.record({ action: anyAction, percent: fc.integer({ min: 0, max: 100 }), final: fc.boolean() }),
    { maxLength: 6 },
  )

  test('is the same for the same payment, survives JSON, and no rule after the deciding one changes the order', () => {
    fc.assert(
      fc.property(anyRules, fc.uuid(), (wishes, id) => {
        const rules = wishes.map(({ action, percent, final }, index) =>
          rule(`r${index}`, action, { final, conditions: [{ kind: 'share', not: false, percent }] }),
        )
        const whole = evaluate([globalSet(...rules)], inputs, world, id)
        assert.deepEqual(evaluate([globalSet(...rules)], inputs, world, id), whole)
        const upTo = rules.slice(0, whole.order?.rule.position ?? rules.length)
        assert.deepEqual(evaluate([globalSet(...upTo)], inputs, world, id).order, whole.order)
        const { explanation } = route(
          plainNeed,
          midNames.map((name) => candidateNamed(name)),
          id,
          whole,
        )
        assert.deepEqual(JSON.parse(JSON.stringify(explanation)), explanation)
      }),
    )
  })

  test('evaluates every rule up to the first final one that matches, and none after it', () => {
    fc.assert(
      fc.property(anyRules, fc.uuid(), (wishes, id) => {
        const rules = wishes.map(({ action, final }, index) => rule(`r${index}`, action, { final }))
        const last = rules.findIndex(({ final }) => final)
        const { lookedAt } = evaluate([globalSet(...rules)], inputs, world, id)
        assert.equal(lookedAt.length, last === -1 ? rules.length : last + 1)
      }),
    )
  })
})
