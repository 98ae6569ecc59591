import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { startTool } from './postgres-tools.ts'

test('a program of PostgreSQL verifies the server by the authorities of the gateway, if the address names none', async () => {
  const print = async (query: string): Promise<string> => {
    const script = 'test -z "$PGSSLROOTCERT" || { echo "$PGSSLROOTCERT"; cat "$PGSSLROOTCERT"; }'
    const { stdout, ended } = startTool('sh', ['-c', script], `postgres://u@db.example/g${query}`)
    const [printed] = await Promise.all([text(stdout), ended])
    return printed
  }
  const [file = '', ...certificates] = (await print('?sslmode=verify-full')).split(/\n(?=-----BEGIN)/)
  assert.ok(certificates.length > 50)
  for (const one of certificates.slice(0, 3)) assert.doesNotThrow(() => new X509Certificate(one))
  assert.ok(!existsSync(file), 'it is removed with the program')
  for (const query of ['', '?sslmode=require', '?sslmode=verify-full&sslrootcert=/etc/own.pem'])
    assert.equal(await print(query), '')
})
