// Written from chapter 60 §1.1: what each acquirer can do is shown before an instance is set up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gatehouse } from '../../test/gatehouse.ts'

test('connectors list shows what each acquirer can do and how an unknown outcome is resolved, without a database', async () => {
  const { code, out } = await gatehouse(['connectors', 'list'])
  assert.equal(code, 0)
  const rows = out.split('\n').map((line) => line.split(/ {2,}/))
  assert.deepEqual(rows[0]?.slice(0, 4), ['CAPABILITY', 'SANDBOX', 'ADYEN', 'STRIPE'])
  const row = (title: string) => rows.find(([first]) => first === title)
  assert.deepEqual(row('Payouts to cards'), ['Payouts to cards', 'yes', 'no', 'no', 'yes', 'no', 'yes', 'no'])
  assert.equal(row('Unknown outcome')?.[2], 'repeat')
})

test('connectors list --json has the same cells by their names', async () => {
  const { json } = await gatehouse(['connectors', 'list', '--json'])
  const paypal = json.find(({ id }: { readonly id: string }) => id === 'paypal')
  assert.equal(paypal.recovery, 'repeat')
  assert.deepEqual(
    [paypal.capabilities.partialCapture, paypal.capabilities.moto, paypal.capabilities.notifications],
    [true, false, true],
  )
})
