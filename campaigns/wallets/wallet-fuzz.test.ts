import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { walletFuzz } from './wallet-fuzz.ts'

test('readers of tokens, keys and certificates never crash on corrupted input', () =>
  smoke({ inputs: 150 }, walletFuzz.run))
