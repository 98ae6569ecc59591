import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { isGatewayCommand, programFile } from './program-file.ts'

test('a built program starts built ones beside it, a source starts sources', () => {
  assert.equal(programFile('sandbox', '/opt/programs/gateway.mjs'), '/opt/programs/sandbox.mjs')
  const source = programFile('sandbox', '/opt/server/src/main.ts')
  assert.match(source, /\/sandbox\/all\/main\.ts$/)
  assert.ok(existsSync(source))
})

test('a gateway is recognised by its command line, built or not', () => {
  assert.ok(isGatewayCommand('node\0server/src/main.ts\0api'))
  assert.ok(isGatewayCommand('node\0/usr/lib/gatehouse/programs/gateway.mjs'))
  assert.ok(!isGatewayCommand('/usr/bin/vim\0notes.txt'))
})
