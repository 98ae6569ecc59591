import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeForm } from './bodies/form.ts'
import { textTreeOf } from './reported-values.ts'

const customData = { e: { f: [1, { g: 'x' }, null, [true]] }, none: [], empty: [null] }

test('a list of the merchant’s own data stays a list in a JSON callback', () => {
  assert.equal(JSON.stringify(textTreeOf(customData)), '{"e":{"f":["1",{"g":"x"},null,["true"]]}}')
})

test('a form numbers the items of a list by their places', () => {
  assert.equal(decodeURIComponent(encodeForm(textTreeOf(customData))), 'e[f][0]=1&e[f][1][g]=x&e[f][3][0]=true')
})
