/**
 * Lets a transaction read by index alone, row by row.
 *
 * The planner takes every month's part to be asked for each row and would rather read a whole table; in fact each row is in one part. And a plan
 * that was made while a table was empty would read all of it for each row later. Only for statements that have an index for each step.
 */
import type { PoolClient } from '../database/pool.ts'

const others = ['seqscan', 'hashjoin', 'mergejoin', 'material'] as const

const setOthers = (value: 'on' | 'off'): string => others.map((way) => `set local enable_${way} = ${value}`).join('; ')

export const readByIndexAlone = (client: PoolClient): Promise<unknown> => client.query(setOthers('off'))
export const readInAnyWay = (client: PoolClient): Promise<unknown> => client.query(setOthers('on'))
