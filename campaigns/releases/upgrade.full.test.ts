import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { upgrade } from './upgrade.ts'

test('an upgrade under load, and the rollback, fail no request and lose nothing', () =>
  smoke({ requests: 5, lanes: 2, apis: 1 }, upgrade.run, { requests: 10, lanes: 4, apis: 1 }))
