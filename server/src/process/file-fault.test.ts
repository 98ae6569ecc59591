import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileFault } from './file-fault.ts'

function faultOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return fileFault(error)
  }
  return 'none'
}

test('the faults of files are told in words, without the system’s own message', () => {
  assert.equal(
    faultOf(() => readFileSync('/nowhere/at/all')),
    'It does not exist.',
  )
  assert.equal(
    faultOf(() => readFileSync('/')),
    'It is a folder.',
  )
  assert.equal(
    faultOf(() => readFileSync('/etc/passwd/more')),
    'A part of its path is not a folder.',
  )
})

test('an unknown fault is named by its code', () => {
  assert.equal(fileFault(Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })), 'The system answered EIO.')
  assert.equal(fileFault('odd'), 'The system answered an unknown error.')
})

test('a folder that cannot be made because a file has its name', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'gatehouse-file-fault-'))
  const file = join(folder.path, 'taken')
  await writeFile(file, '')
  await assert.rejects(mkdir(file), (error) => fileFault(error) === 'It is not a folder.')
})
