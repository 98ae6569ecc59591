import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestTextsIn } from './request-texts.ts'

test('a text of a request is taken from the parameter with the wire’s form of its name', () => {
  assert.equal(requestTextsIn({ moto_type: 'phone_moto', motoType: 'other' }).motoType, 'phone_moto')
})

test('a parameter that was not sent, or that is no text, stores nothing', () => {
  assert.equal(requestTextsIn({}).motoType, null)
  assert.equal(requestTextsIn({ moto_type: 5 }).motoType, null)
})
