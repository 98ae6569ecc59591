import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { after, test } from 'node:test'
import { openMemoryFolder } from './memory-folder.ts'

const folder = openMemoryFolder()
after(() => folder?.remove())

const skip = folder === null && 'this system has no folder in memory'

test('everybody can write in the folder of a run, and nothing is left of it', { skip }, () => {
  assert.equal((statSync(folder?.path ?? '').mode & 0o7777).toString(8), '1777')
  const other = openMemoryFolder()
  mkdirSync(`${other?.path}/inside`)
  other?.remove()
  assert.equal(existsSync(other?.path ?? ''), false)
  assert.ok(existsSync(folder?.path ?? ''), 'the folder of a run that goes on is left alone')
})

test('the folder that a killed run left is removed by the next run', { skip }, () => {
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const left = mkdtempSync(`/dev/shm/gatehouse-run-${ended}-`)
  after(() => rmSync(left, { recursive: true, force: true }))
  openMemoryFolder()?.remove()
  assert.equal(existsSync(left), false)
})
