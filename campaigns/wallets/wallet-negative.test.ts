import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { walletNegative } from './wallet-negative.ts'

test('wrong wallet tokens are refused as required, through the gateway and by the checks alone', () =>
  smoke({ cases: 60, flips: 200, sent: 20, lanes: 4 }, walletNegative.run, {
    ...walletNegative.sizes,
    ...walletNegative.quick,
  }))
