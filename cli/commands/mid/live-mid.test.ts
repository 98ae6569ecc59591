import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTestInstance, runGatehouse } from '../../test/gatehouse.ts'

const credentials = (base_url: string): string => JSON.stringify({ mid: 'main', base_url })

test('a live instance refuses MIDs that move no money or send cards unencrypted, and the doctor finds existing ones', async () => {
  await using instance = await openTestInstance({ instanceMode: 'live' })
  const file = join(instance.folder, 'live-keys.json')
  await runGatehouse(['keys', 'create', file])
  const environment = { GATEHOUSE_KEY_FILE: file, BASE_URL: 'https://pay.example.com' }
  const create = (name: string, mode: string, address: string) =>
    instance.run(
      ['mid', 'create', name, '--connector', 'sandbox', '--side', mode, '--credentials', credentials(address)],
      { environment },
    )

  const onSandbox = await create('main', 'live', 'https://sandbox.example.com')
  assert.equal(onSandbox.code, 1)
  assert.match(onSandbox.err, /A live MID of a live instance cannot use the sandbox connector/)
  for (const [address, why] of [
    ['http://sandbox.example.com', /plain http/],
    ['http://127.0.0.1:4000', /plain http/],
    ['https://127.0.0.1:4000', /private address \(loopback\)/],
    ['https://192.168.7.1', /private address/],
  ] as const) {
    const { code, err } = await create('practice', 'test', address)
    assert.equal(code, 1, address)
    assert.match(err, why)
  }
  assert.equal((await create('practice', 'test', 'https://sandbox.example.com')).code, 0)
  const changed = await instance.run(
    ['mid', 'update', 'practice', '--credentials', credentials('http://127.0.0.1:4000')],
    { environment },
  )
  assert.match(changed.err, /plain http/)

  // As an earlier release could have left it.
  await instance.database.pool.query("update mids set side = 'live'")
  const { code, json } = await instance.run(['doctor', '--json'], { environment })
  assert.equal(code, 1)
  const live = json.filter(({ subject }: { readonly subject: string }) => subject === 'live')
  assert.ok(
    live.some(
      ({ text, level }: { readonly text: string; readonly level: string }) =>
        level === 'problem' && /live MID "practice" uses the sandbox connector/.test(text),
    ),
    JSON.stringify(live),
  )
  assert.match(
    (await instance.run(['mid', 'enable', 'practice'], { environment })).err,
    /cannot use the sandbox connector/,
  )
  assert.equal((await instance.run(['mid', 'disable', 'practice'], { environment })).code, 0)
})
