import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventOf, fieldsOf } from './body.ts'

const form = 'application/x-www-form-urlencoded'

test('a form is decoded into its fields, in their order', () => {
  assert.deepEqual(fieldsOf(form, 'action=SALE&card=411111%2A%2A1111&redirect_params%5BMD%5D=1'), [
    ['action', 'SALE'],
    ['card', '411111**1111'],
    ['redirect_params[MD]', '1'],
  ])
})

test('JSON is read into the same names as a form', () => {
  assert.deepEqual(fieldsOf('application/json', '{"action":"SALE","custom":{"a":[1,2]}}'), [
    ['action', 'SALE'],
    ['custom[a][0]', '1'],
    ['custom[a][1]', '2'],
  ])
  assert.deepEqual(fieldsOf('application/json', '{'), [['', '{']])
})

test('the event is the action of a card or brand payment, or the type of a Checkout callback', () => {
  assert.equal(eventOf(form, 'action=CAPTURE&result=SUCCESS'), 'CAPTURE')
  assert.equal(eventOf(form, 'id=1&type=sale'), 'sale')
  assert.equal(eventOf(form, 'id=1'), null)
})
