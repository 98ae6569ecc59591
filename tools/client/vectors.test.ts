import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formulas } from '#domain/signature/formula-table.ts'
import { endpoints } from '#server/protocols/checkout/index.ts'
import { apmActions } from '#server/protocols/s2s-apm/index.ts'
import { cardActions } from '#server/protocols/s2s-card/index.ts'
import { callbackCases } from './vector-callbacks.ts'
import { apmRequests, cardRequests, checkoutRequests } from './vector-requests.ts'

test('every formula has a vector', () => {
  const used = new Set(
    [...cardRequests, ...apmRequests, ...checkoutRequests, ...callbackCases].map(({ formula }) => formula),
  )
  assert.deepEqual(
    formulas.map(({ name }) => name).filter((name) => !used.has(name)),
    // A library needs neither: the returns of the mapping option, and the session of a wallet.
    ['card.return', 'checkout.return', 'wallet.session'],
  )
})

test('every action of every protocol has a vector, with parameters of its own table only', () => {
  const kinds = [
    { requests: cardRequests, tables: cardActions.map(({ names: [name = ''], params }) => [name, params] as const) },
    { requests: apmRequests, tables: apmActions.map(({ names: [name = ''], params }) => [name, params] as const) },
    { requests: checkoutRequests, tables: endpoints.map(({ path, params }) => [path, params] as const) },
  ]
  for (const { requests, tables } of kinds) {
    for (const [name, params] of tables) {
      const own = requests.filter(({ action }) => action === name)
      assert.ok(own.length > 0, `${name} has no vector.`)
      for (const { title, parameters } of own)
        assert.deepEqual(
          Object.keys(parameters).filter((parameter) => !Object.hasOwn(params, parameter)),
          [],
          title,
        )
    }
  }
})
