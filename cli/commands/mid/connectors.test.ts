// Written from chapter 60 §1.1: what each acquirer can do is shown before an instance is set up.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { installSamplePackage } from '#server/connectors/prism/testing/sample-package.ts'
import { openTestInstance, runGatehouse } from '../../test/gatehouse.ts'

test('connectors list shows what each acquirer can do and how an unknown outcome is resolved, without a database', async () => {
  const { code, out } = await runGatehouse(['connectors', 'list'])
  assert.equal(code, 0)
  const rows = out.split('\n').map((line) => line.split(/ {2,}/))
  assert.deepEqual(rows[0]?.slice(0, 4), ['CAPABILITY', 'SANDBOX', 'ADYEN', 'STRIPE'])
  const row = (title: string) => rows.find(([first]) => first === title)
  assert.deepEqual(row('Payouts to cards'), ['Payouts to cards', 'yes', 'no', 'no', 'yes', 'no', 'yes', 'no'])
  assert.equal(row('Unknown outcome')?.[2], 'repeat')
})

test('connectors list --json has the same cells by their names', async () => {
  const { json } = await runGatehouse(['connectors', 'list', '--json'])
  const paypal = json.find(({ id }: { readonly id: string }) => id === 'paypal')
  assert.equal(paypal.recovery, 'repeat')
  assert.deepEqual(
    [paypal.capabilities.partialCapture, paypal.capabilities.moto, paypal.capabilities.notifications],
    [true, false, true],
  )
})

describe('the family prism', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'connectors-'))
  after(() => rm(dataDir, { recursive: true, force: true }))
  const environment = { DATA_DIR: dataDir, PATH: process.env.PATH }
  const shown = async () => (await runGatehouse(['connectors', 'list', '--json'], { environment })).json

  test('without its package its acquirers are listed as not usable, with what to do', async () => {
    const { out } = await runGatehouse(['connectors', 'list'], { environment })
    assert.match(out, /prism-nmi +NMI +yes +yes/)
    assert.match(out, /gatehouse connectors add prism/)
    const nmi = (await shown()).find(({ id }: { readonly id: string }) => id === 'prism-nmi')
    assert.deepEqual([nmi.family, nmi.usable, nmi.recovery], ['prism', false, 'lookup'])
  })

  test('a search shows the acquirers of that name', async () => {
    const { out } = await runGatehouse(['connectors', 'list', '--search', 'authorize.net'], { environment })
    assert.match(out, /prism-authorizedotnet/)
    assert.doesNotMatch(out, /prism-nmi/)
  })

  test('a registry that delivers another package installs nothing', async () => {
    await writeFile(join(dataDir, 'npm'), `#!/bin/sh\necho '{"packages":{}}' > package-lock.json\n`, { mode: 0o755 })
    const { code, err } = await runGatehouse(['connectors', 'add', 'prism'], {
      environment: { ...environment, PATH: `${dataDir}:${process.env.PATH}` },
    })
    assert.equal(code, 1)
    assert.match(err, /not the one that this release was tried with/)
    assert.equal(existsSync(join(dataDir, 'connectors/prism')), false)
    assert.equal(existsSync(join(dataDir, 'connectors/prism.new')), false)
  })

  test('npm that fails installs nothing and says so', async () => {
    await writeFile(join(dataDir, 'npm'), '#!/bin/sh\nexit 3\n', { mode: 0o755 })
    const { code, err } = await runGatehouse(['connectors', 'add', 'prism'], {
      environment: { ...environment, PATH: `${dataDir}:${process.env.PATH}` },
    })
    assert.equal(code, 1)
    assert.match(err, /npm ended with 3; nothing was installed/)
  })

  test('a package whose helper does not start is told with glibc and PRISM_LOADER', async () => {
    const folder = join(dataDir, 'connectors/prism/node_modules/hyperswitch-prism')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{"version":"0.4.0"}')
    const { code, err } = await runGatehouse(['connectors', 'add', 'prism'], { environment })
    assert.equal(code, 1)
    assert.match(err, /needs glibc 2\.38 or newer.*PRISM_LOADER/s)
    assert.equal(
      (await shown()).filter(({ usable }: { readonly usable: boolean }) => usable).length,
      (await shown()).length,
    )
  })

  test('it is removed, once', async () => {
    assert.match((await runGatehouse(['connectors', 'remove', 'prism'], { environment })).out, /Removed/)
    assert.match((await runGatehouse(['connectors', 'remove', 'prism'], { environment })).err, /nothing was removed/)
  })

  test('no MID can be created with it while it is missing', async () => {
    const credentials = '{"api_key":"k","public_key":"p"}'
    const argv = ['mid', 'create', 'tail', '--connector', 'prism-nmi', '--side', 'test', '--credentials', credentials]
    const { code, err } = await runGatehouse(argv, { environment })
    assert.equal(code, 1)
    assert.match(err, /No MID can be created with prism-nmi yet.*gatehouse connectors add prism/s)
  })
})

test('the package of a family stays while a MID that is switched on needs it, unless forced', async () => {
  await using instance = await openTestInstance()
  await installSamplePackage(instance.folder)
  const credentials = '{"api_key":"k","public_key":"p"}'
  await instance.do('mid', 'create', 'tail', '--connector', 'prism-nmi', '--side', 'test', '--credentials', credentials)
  const refused = await instance.run(['connectors', 'remove', 'prism'])
  assert.equal(refused.code, 1)
  assert.match(refused.err, /Payments over these MIDs would be refused: tail\. Nothing was removed\./)
  assert.equal(existsSync(join(instance.folder, 'connectors/prism')), true)
  await instance.do('mid', 'disable', 'tail')
  assert.match((await instance.run(['connectors', 'remove', 'prism'])).out, /Removed/)
  await installSamplePackage(instance.folder)
  await instance.do('mid', 'enable', 'tail')
  assert.match((await instance.run(['connectors', 'remove', 'prism', '--force'])).out, /Removed/)
})
