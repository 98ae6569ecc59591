import { test } from 'node:test'
import { explainMissingTools } from '../failover/tools.ts'
import { smoke } from '../smoke.ts'
import { missingServer } from './archived-server.ts'
import { clusterRestore, pointInTime } from './point-in-time.ts'

test(
  'a lost server is restored to a moment, and everything that the acquirer executed is accounted for',
  {
    skip: missingServer() ?? false,
  },
  () => smoke({ payments: 4 }, pointInTime.run),
)

test(
  'so is a cluster that failed over after its base backup, by the commands of its page',
  { skip: explainMissingTools() ?? false },
  () => smoke({ payments: 4 }, clusterRestore.run),
)
