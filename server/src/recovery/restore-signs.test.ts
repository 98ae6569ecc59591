import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restoreReason, type Signs } from './restore-signs.ts'

const id = 'a'
const signs: Signs = {
  pulse: { id, beats: 100n, cluster: '1/00000001' },
  clusterNow: '1/00000001',
  lastSeen: { id, beats: 100n },
  hasRunningPeer: false,
}

test('a database that advanced since this machine last saw it was not restored', () => {
  assert.equal(restoreReason(signs), null)
  assert.equal(restoreReason({ ...signs, lastSeen: { id, beats: 7n } }), null)
})

test('a database older than this machine remembers was restored, even while other processes run', () => {
  for (const hasRunningPeer of [false, true]) {
    assert.match(restoreReason({ ...signs, lastSeen: { id, beats: 101n }, hasRunningPeer }) ?? '', /older/)
  }
})

test('a mark of another database means nothing', () => {
  assert.equal(restoreReason({ ...signs, lastSeen: { id: 'b', beats: 101n } }), null)
  assert.equal(restoreReason({ ...signs, lastSeen: null }), null)
})

test('another server or timeline means a restore, unless a process ran through the change', () => {
  const moved = { ...signs, clusterNow: '1/00000002' }
  assert.match(restoreReason(moved) ?? '', /different server or timeline/)
  assert.equal(restoreReason({ ...moved, hasRunningPeer: true }), null)
})

test('a first start, and a server that does not identify itself, are no restore', () => {
  assert.equal(restoreReason({ ...signs, pulse: { id, beats: 0n, cluster: null }, lastSeen: null }), null)
  assert.equal(restoreReason({ ...signs, clusterNow: null }), null)
})
