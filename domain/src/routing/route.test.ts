/** The order of MIDs and what is said about it (chapter 50 §3), and the flow of a wallet payment (chapter 40 §9). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Candidate } from './candidate.ts'
import { type Evaluation, noRules } from './evaluate.ts'
import type { Need } from './need.ts'
import { chooseWalletFlow, route } from './route.ts'
import { type Change, candidateNamed, plainNeed as sale, upTo, usage, walletPayment } from './testing/example.ts'

const seed = '0198c0de-0000-7000-8000-000000000001'
const orderOf = (need: Need, candidates: readonly Candidate[], of = seed, rules = noRules): string =>
  route(need, candidates, of, rules)
    .ordered.map(({ mid }) => mid.name)
    .join(' ')

/** What a rule that names these MIDs in this order decides. */
function using(name: string, version: number, ...midIds: readonly string[]): Evaluation {
  const rule = { set: 'global', version, position: 1, name } as const
  return { ...noRules, order: { rule, mids: midIds.map((midId) => ({ midId, says: 'named' })), only: false } }
}

describe('order', () => {
  test('the smaller priority goes first, whatever the weights', () => {
    const candidates = [
      candidateNamed('a', { mapping: { priority: 30, weight: 1000 } }),
      candidateNamed('b', { mapping: { priority: 10 } }),
      candidateNamed('c', { mapping: { priority: 20 } }),
    ]
    assert.equal(orderOf(sale, candidates), 'b c a')
  })
  test('a routing rule goes before priority, and MIDs it does not name follow', () => {
    const candidates = ['a', 'b', 'c'].map((name, index) => candidateNamed(name, { mapping: { priority: index } }))
    const rules = using('cheapest', 7, 'mid-c', 'mid-b')
    assert.equal(orderOf(sale, candidates, seed, rules), 'c b a')
    const { rule } = route(sale, candidates, seed, rules).explanation
    assert.deepEqual([rule?.name, rule?.version], ['cheapest', 7])
  })
  test("a recurring payment goes first to its chain's MID, and past it when that MID is not left", () => {
    const rules = using('cheapest', 7, 'mid-b')
    const need: Need = { ...sale, recurring: 'charge', chainMidId: 'mid-c' }
    const candidates = ['a', 'b', 'c'].map((name, index) => candidateNamed(name, { mapping: { priority: index } }))
    assert.equal(orderOf(need, candidates, seed, rules), 'c b a')
    assert.equal(
      orderOf(need, [...candidates.slice(0, 2), candidateNamed('c', { healthy: false })], seed, rules),
      'b a',
    )
  })
  test('Card-on-File goes first among equal priorities, never before a smaller one, and never excludes', () => {
    const without = (name: string, priority: number) =>
      candidateNamed(name, { mid: { cardOnFileEnabled: false }, mapping: { priority } })
    const candidates = [without('a', 1), without('b', 2), candidateNamed('c', { mapping: { priority: 2 } })]
    assert.equal(orderOf({ ...sale, preferCardOnFile: true }, candidates), 'a c b')
    assert.equal(orderOf({ ...sale, preferCardOnFile: true }, [without('a', 1)]), 'a')
  })
})

describe('the draw by weight', () => {
  const weight = fc.integer({ min: 1, max: 100 })

  test('the same payment draws the same order, in whatever order the candidates come', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.array(weight, { minLength: 1, maxLength: 6 }), (id, weights) => {
        const candidates = weights.map((of, index) => candidateNamed(`m${index}`, { mapping: { weight: of } }))
        assert.equal(orderOf(sale, candidates, id), orderOf(sale, candidates.toReversed(), id))
      }),
    )
  })

  test('dropping one MID leaves the order of the others as it was', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat({ max: 4 }), (id, gone) => {
        const candidates = Array.from({ length: 5 }, (_, index) =>
          candidateNamed(`m${index}`, { mapping: { weight: index + 1 } }),
        )
        const all = orderOf(sale, candidates, id).split(' ')
        const rest = orderOf(
          sale,
          candidates.filter((_, index) => index !== gone),
          id,
        )
        assert.equal(rest, all.filter((name) => name !== `m${gone}`).join(' '))
      }),
    )
  })

  test('a MID is first as often as its share of the weights says', () => {
    const payments = 4000
    fc.assert(
      fc.property(fc.array(weight, { minLength: 2, maxLength: 4 }), fc.nat(), (weights, run) => {
        const candidates = weights.map((of, index) => candidateNamed(`m${index}`, { mapping: { weight: of } }))
        const firsts = new Map<string, number>()
        for (let number = 0; number < payments; number += 1) {
          const [first] = route(sale, candidates, `0198c0de-${run}-7000-8000-${number}`).ordered
          assert.ok(first)
          firsts.set(first.mid.name, (firsts.get(first.mid.name) ?? 0) + 1)
        }
        const total = weights.reduce((sum, of) => sum + of, 0)
        for (const [index, of] of weights.entries()) {
          const share = of / total
          // Five standard deviations: a sound draw strays further once in millions of runs.
          const tolerance = 5 * Math.sqrt((share * (1 - share)) / payments)
          const observed = (firsts.get(`m${index}`) ?? 0) / payments
          assert.ok(Math.abs(observed - share) <= tolerance, `${observed} for a share of ${share}`)
        }
      }),
      { numRuns: 8, seed: 20260310 },
    )
  })

  test('a weight of zero is never drawn before another', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        assert.equal(orderOf(sale, [candidateNamed('a', { mapping: { weight: 0 } }), candidateNamed('b')], id), 'b a')
      }),
    )
  })
})

describe('the explanation', () => {
  test('survives JSON unchanged, taken or refused, and says why this MID and why not the others', () => {
    const limited = candidateNamed('b', { mid: { dayLimit: upTo(1n) }, usage: usage(1n, 1) })
    for (const candidates of [[candidateNamed('a', { mapping: { priority: 5, weight: 2 } }), limited], [limited]]) {
      const { explanation } = route({ ...sale, preferCardOnFile: true }, candidates, seed)
      assert.deepEqual(JSON.parse(JSON.stringify(explanation)), explanation)
    }
    const { explanation } = route(sale, [candidateNamed('a', { mapping: { priority: 5, weight: 2 } }), limited], seed)
    assert.match(explanation.ordered[0]?.reason ?? '', /^Priority 5, weight 2, drawn at [0-9.]+\.$/)
    assert.deepEqual(explanation, {
      ordered: [{ midName: 'a', holds: false, reason: explanation.ordered[0]?.reason }],
      dropped: [{ midName: 'b', filter: 8, name: 'limits', reason: 'The day limit of the MID is exceeded.' }],
      rule: null,
      refusal: null,
    })
  })

  test('every candidate is either ordered or dropped once', () => {
    const change = fc.constantFrom<Change>(
      {},
      { mid: { enabled: false } },
      { mid: { motoEnabled: false } },
      { mid: { currencies: ['USD'] } },
      { mid: { dayLimit: upTo(1n) } },
      { healthy: false },
    )
    const demand = fc.constantFrom<Partial<Need>>({}, { motoType: 'phone_moto' }, { auth: true }, { currency: 'USD' })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), demand, (changes, need) => {
        const candidates = changes.map((one, index) => candidateNamed(`m${index}`, one))
        const { ordered, dropped, refusal } = route({ ...sale, ...need }, candidates, seed)
        const midNames = [...ordered.map(({ mid }) => mid.name), ...dropped.map(({ midName }) => midName)]
        assert.deepEqual(midNames.sort(), candidates.map(({ mid }) => mid.name).sort())
        assert.equal(refusal === null, ordered.length > 0)
      }),
    )
  })
})

describe('the flow of a wallet payment (chapter 40 §9)', () => {
  const walletBrand = { code: 'walletapay', twoStage: true, connectors: ['*'] }

  const checkout: Need = { ...sale, protocol: 'CHECKOUT', methods: ['walletapay'], card: null, wallet: walletPayment }
  const opened = (name: string) => candidateNamed(name)
  const passing = (name: string) => candidateNamed(name, { mid: { acceptsDecrypted: false } })
  const closed = (name: string) => candidateNamed(name, { mid: { cardFlow: false } })
  const flow = (need: Need, ...candidates: Candidate[]): string => ruledFlow(noRules, need, ...candidates)
  const ruledFlow = (rules: Evaluation, need: Need, ...candidates: Candidate[]): string => {
    const routing = route(need, candidates, seed, rules)
    if (routing.refusal) return String(routing.refusal.code)
    const chosen = chooseWalletFlow(routing.ordered)
    return chosen.kind === 'refused'
      ? String(chosen.refusal.code)
      : [chosen.flow, ...chosen.ordered.map(({ mid }) => mid.name)].join(' ')
  }

  test('if any MID takes decrypted data, only such MIDs are left, and the payment may cascade among them', () => {
    assert.equal(
      flow(checkout, closed('a'), passing('b'), candidateNamed('c', { mapping: { priority: 1 } }), opened('d')),
      'decrypted c d',
    )
  })
  test('without one, the first MID in card flow gets the token unchanged and is the only one', () => {
    assert.equal(
      flow(
        checkout,
        closed('a'),
        candidateNamed('b', { mid: { acceptsDecrypted: false }, mapping: { priority: 1 } }),
        passing('c'),
      ),
      'passed_on b',
    )
  })
  test('without card flow Checkout and S2S APM fall back to virtual, S2S CARD answers 250002', () => {
    assert.equal(flow(checkout, closed('a')), 'virtual a')
    assert.equal(flow({ ...checkout, protocol: 'S2S_APM', brand: walletBrand }, closed('a')), 'virtual a')
    assert.equal(flow({ ...checkout, protocol: 'S2S_CARD' }, closed('a')), '250002')
  })
  test('a missing processing key means virtual flow on every MID', () => {
    assert.equal(flow({ ...checkout, wallet: { ...walletPayment, key: false } }, opened('a')), 'virtual a')
  })
  test('virtual flow needs a connector that passes tokens on: otherwise 204018', () => {
    assert.equal(
      flow(checkout, candidateNamed('a', { mid: { cardFlow: false }, can: { passesTokens: false } })),
      '204018',
    )
  })
  test('on Checkout a wallet holds or starts a chain only in card flow: otherwise 204005', () => {
    for (const change of [{ auth: true }, { recurring: 'init' }] as const) {
      assert.equal(flow({ ...checkout, ...change }, closed('a')), '204005')
      assert.equal(flow({ ...checkout, ...change }, passing('a')), 'passed_on a')
    }
  })
  test('on S2S APM a wallet in virtual flow may hold', () => {
    assert.equal(
      flow(
        {
          ...checkout,
          protocol: 'S2S_APM',
          auth: true,
          brand: walletBrand,
        },
        closed('a'),
      ),
      'virtual a',
    )
  })
  test('a routing rule orders decrypted wallet payments and no others', () => {
    const rules = using('r', 1, 'mid-b')
    assert.equal(
      ruledFlow(rules, checkout, candidateNamed('a', { mapping: { priority: 1 } }), opened('b')),
      'decrypted b a',
    )
    assert.equal(
      ruledFlow(
        rules,
        checkout,
        candidateNamed('a', { mid: { cardFlow: false }, mapping: { priority: 1 } }),
        closed('b'),
      ),
      'virtual a',
    )
  })
})
