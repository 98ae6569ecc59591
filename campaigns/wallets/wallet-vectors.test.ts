import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { walletVectors } from './wallet-vectors.ts'

test('published tokens verify and decrypt at their signing time, and are refused after they expire', () =>
  smoke({}, walletVectors.run))
