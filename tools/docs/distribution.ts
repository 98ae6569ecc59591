/** Where tables live in a distributed database, and which statements look at several merchants. */
import { distributedTables } from '#server/store/database/distribution.ts'
import { composedStatements, manyShards } from '#server/store/database/testing/many-shards.ts'
import { code, codes, table } from './markdown.ts'

export const tablePlaces = (): string => `${codes(distributedTables)}.`

export const manyShardTable = (): string =>
  table(
    ['Statement', 'Reason'],
    manyShards.map(([name, reason]) => [code(name), reason]),
  )

export const composedStatementTable = (): string =>
  table(
    ['File below `server/src/store/`', 'Reason'],
    composedStatements.map(([file, reason]) => [code(file), reason]),
  )
