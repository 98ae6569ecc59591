import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { missingServer } from './archived-server.ts'
import { pointInTime } from './point-in-time.ts'

test(
  'a lost server is restored to a moment, and everything that the acquirer executed is accounted for',
  {
    skip: missingServer() ?? false,
  },
  () => smoke({ payments: 4 }, pointInTime.run),
)
