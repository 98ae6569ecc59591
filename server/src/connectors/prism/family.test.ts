import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { exchange } from '../exchange.ts'
import { connectorById, connectors, unavailableBecause } from '../registry.ts'
import { orderWith } from '../testing/contract-samples.ts'
import { createWires } from '../wire.ts'
import { prismConnectors } from './family.ts'
import { installationFault, openHelper, prismFolder } from './installation.ts'
import { acquirerRows } from './table/acquirers.ts'
import { playExchange } from './testing/play.ts'
import { readFixtures, replay } from './testing/recorded.ts'
import { HelperFault, type Transformer } from './transformer/transformer.ts'

describe('the table', () => {
  test('every acquirer is found by its id, has a form of credentials and says how an unknown outcome is resolved', () => {
    for (const connector of prismConnectors) {
      assert.equal(connectorById(connector.id), connector)
      assert.match(connector.id, /^prism-[a-z0-9]+$/)
      assert.equal(connector.credentials.safeParse({}).success, false, connector.id)
      assert.ok(['lookup', 'repeat', 'by-hand'].includes(connector.recoveryWay))
    }
    assert.equal(
      new Set([...connectors, ...prismConnectors].map(({ id }) => id)).size,
      connectors.length + prismConnectors.length,
    )
  })

  test('eighty acquirers at least can be used in test mode, and most of them live', () => {
    assert.ok(acquirerRows.filter(({ hosts }) => hosts.test.length > 0).length >= 80)
    assert.ok(acquirerRows.filter(({ hosts }) => hosts.live.length > 0).length >= 70)
  })

  test('a hold is offered only where it can be captured and released', () => {
    for (const { id, operations } of prismConnectors) {
      assert.equal(operations.has('authorize'), operations.has('capture'), id)
      assert.equal(operations.has('authorize'), operations.has('reverse'), id)
    }
  })

  test('an acquirer without documented keys and without a way to be asked is decided by hand, and never sent to twice', () => {
    const shift4 = connectorById('prism-shift4') ?? assert.fail()
    const recovery = shift4.recoveryOf({ api_key: 'k' })
    assert.equal(recovery.way, 'by-hand')
    assert.equal(recovery.idempotencyKey, null)
    assert.equal(connectorById('prism-nmi')?.recoveryWay, 'lookup')
  })
})

describe('without the package', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'prism-'))

  test('its connectors say how to install it, and others need nothing', async () => {
    const nmi = connectorById('prism-nmi') ?? assert.fail()
    assert.match(unavailableBecause(nmi, dataDir) ?? '', /gatehouse connectors add prism/)
    for (const connector of connectors) assert.equal(unavailableBecause(connector, dataDir), null)
  })

  test('another version is named, and the right one is taken as soon as it is there', async () => {
    const folder = join(prismFolder({ dataDir }), 'node_modules/hyperswitch-prism')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{"version":"0.3.0"}')
    assert.match(installationFault({ dataDir }) ?? '', /0\.3\.0.*0\.4\.0/)
    await writeFile(join(folder, 'package.json'), '{"version":"0.4.0"}')
    assert.equal(installationFault({ dataDir }), null)
  })

  test('a payment over an existing MID is not executed', async () => {
    const transformer = openHelper({ dataDir: join(dataDir, 'empty'), prismLoader: null })
    const wires = createWires({ clock: { now: () => new Date('2026-03-01T12:00:00Z') }, prism: transformer })
    const account = connectorById('prism-nmi')?.open({ api_key: 'k', public_key: 'p' }, wires, 'test') ?? assert.fail()
    const seen: unknown[] = []
    const outcome = await exchange(
      () => account.sale(orderWith({})),
      (fault) => assert.fail(String(fault)),
      (fault) => seen.push(fault),
    )
    assert.equal(outcome.result, 'not-executed')
    assert.match(String(seen[0]), /gatehouse connectors add prism/)
    await wires.close()
  })
})

describe('a helper that dies', async () => {
  const [, fixture] = (await readFixtures()).find(([file]) => file === 'nmi.json') ?? assert.fail('nmi.json')
  const [sale] = fixture.exchanges
  assert.ok(sale)
  const died = async (): Promise<never> => {
    throw new HelperFault('The helper process ended.')
  }
  const play = async (changes: Partial<Transformer>) =>
    playExchange(fixture, sale, { ...replay(sale.recorded), ...changes })

  test('before the request left: nothing was executed', async () => {
    const { outcome, sent } = await play({ build: died })
    assert.equal(outcome.result, 'not-executed')
    assert.equal(sent.length, 0)
  })

  test('after it left: the outcome is unknown, never a decline', async () => {
    const { outcome, sent } = await play({ read: died })
    assert.equal(outcome.result, 'unknown')
    assert.equal(sent.length, 1)
  })

  test('that names another host: nothing leaves', async () => {
    const build: Transformer['build'] = async (call) => {
      const result = await replay(sale.recorded).build(call)
      return result.kind === 'done'
        ? { kind: 'done', value: { ...result.value, url: 'https://evil.example/' } }
        : result
    }
    await assert.rejects(play({ build }), /outside the table: evil\.example/)
  })

  test('that asks for another amount: nothing leaves', async () => {
    const build: Transformer['build'] = async (call) => {
      const result = await replay(sale.recorded).build(call)
      if (result.kind === 'refused') return result
      const body = Buffer.from(String(result.value.body).replace('amount=10.0&', 'amount=1000.0&'))
      return { kind: 'done', value: { ...result.value, body } }
    }
    await assert.rejects(play({ build }), /another amount/)
  })
})

test('an approval that the package reads from a 200 without a word is unknown, and from an empty 204 it counts', async () => {
  const [, fixture] = (await readFixtures()).find(([file]) => file === 'nmi.json') ?? assert.fail('nmi.json')
  const [sale] = fixture.exchanges
  assert.ok(sale)
  const play = (status: number, text = '') =>
    playExchange(fixture, { ...sale, replies: [{ status, headers: {}, text }] }, replay(sale.recorded))
  for (const text of ['', ' {} ', '[]', 'null', '<html>Welcome</html>', '<!DOCTYPE html>\n<html></html>'])
    assert.equal((await play(200, text)).outcome.result, 'unknown', text)
  assert.equal((await play(200, '<xml>html</xml>')).outcome.result, 'approved')
  assert.equal((await play(204)).outcome.result, 'approved')
})
