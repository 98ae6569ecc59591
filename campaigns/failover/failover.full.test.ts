import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { failover } from './failover.ts'
import { explainMissingTools } from './tools.ts'

const missing = explainMissingTools()

test('a killed and a paused leader or synchronous standby lose and double nothing', { skip: missing ?? false }, () =>
  smoke({ ...failover.sizes, ...failover.quick }, failover.run),
)
