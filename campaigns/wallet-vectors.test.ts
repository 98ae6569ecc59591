import { test } from 'node:test'
import { smoke } from './smoke.ts'
import { walletVectors } from './wallet-vectors.ts'

test('published tokens verify and decrypt at their own time, and are refused once that is over', () =>
  smoke({}, walletVectors.run))
