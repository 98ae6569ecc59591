import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError, type PoolClient } from 'pg'
import { Leadership } from './leadership.ts'

const server = (row: object): Pick<PoolClient, 'query'> =>
  ({ query: () => Promise.resolve({ rows: [row] }) }) as unknown as Pick<PoolClient, 'query'>
const leader = (timeline: string) => server({ is_standby: false, timeline })
const standby = server({ is_standby: true, timeline: null })

test('the leader is accepted, and its successor', async () => {
  const leadership = new Leadership()
  await leadership.require(leader('00000009'))
  await leadership.require(leader('0000000A'))
  await leadership.require(leader('0000000A'))
})

test('a standby is refused', async () => {
  await assert.rejects(new Leadership().require(standby), /is a standby\. Connections must lead to the leader\.$/)
})

test('a former leader is refused once its successor was seen', async () => {
  const leadership = new Leadership()
  await leadership.require(leader('00000010'))
  await assert.rejects(
    leadership.require(leader('0000000F')),
    /is a former leader: its timeline is 15, and 16 has begun\./,
  )
})

test('a hosted server that does not tell its timeline is accepted, a broken connection is not', async () => {
  const failing = (error: Error) => ({ query: () => Promise.reject(error) }) as unknown as Pick<PoolClient, 'query'>
  await new Leadership().require(failing(new DatabaseError('permission denied', 1, 'error')))
  await assert.rejects(new Leadership().require(failing(new Error('Connection terminated'))), /terminated/)
})
