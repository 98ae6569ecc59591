import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { soak } from './soak.ts'

// Far above what a process may still need after a few seconds; the full campaign of half an hour allows less.
const small = { ...soak.sizes, minutes: 0, seconds: 3, calibration: 1, samples: 4, slackMegabytes: 24 }

test('memory, descriptors, connections and open rows do not grow with the number of payments', () =>
  smoke(small, soak.run))
