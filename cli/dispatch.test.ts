import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { release } from '#server/process/release.ts'
import { loadAllCommands } from './dispatch.ts'
import { runGatehouse } from './test/gatehouse.ts'

test('help lists every command with its one-line summary', async () => {
  const { code, out } = await runGatehouse(['help'])
  assert.equal(code, 0)
  for (const { name, summary } of await loadAllCommands())
    assert.match(out, new RegExp(`${name} .*${escapePattern(summary)}`))
})

test('every command shows its help, even after a usage error', async () => {
  for (const { name } of await loadAllCommands()) {
    const { code, out } = await runGatehouse([...name.split(' '), '--no-such-option', '--help'])
    assert.equal(code, 0)
    assert.match(out, new RegExp(`^Usage: gatehouse ${name}\\b`))
    assert.equal((await runGatehouse(['help', ...name.split(' ')])).out, out)
  }
})

test('for a misspelled command, the nearest command is suggested', async () => {
  assert.match((await runGatehouse(['merchnat', 'list'])).err, /Did you mean "merchant"\?/)
  assert.match((await runGatehouse(['merchant', 'craete'])).err, /Did you mean "create"\?/)
  assert.match((await runGatehouse(['merchant', 'list', '--jsn'])).err, /no option --jsn\. Did you mean "json"\?/)
})

test('a word that resembles no command is refused without a suggestion', async () => {
  const { code, err } = await runGatehouse(['xylophone'])
  assert.equal(code, 2)
  assert.doesNotMatch(err, /Did you mean/)
  assert.match(err, /gatehouse help/)
})

test('a noun alone lists its commands, as a usage error', async () => {
  const { code, err } = await runGatehouse(['merchant'])
  assert.equal(code, 2)
  for (const verb of ['create', 'list', 'show', 'update', 'block', 'unblock', 'rotate'])
    assert.match(err, new RegExp(`merchant ${verb}`))
  assert.equal((await runGatehouse(['merchant', '--help'])).code, 0)
})

test('"help" after a noun shows what --help shows', async () => {
  const help = await runGatehouse(['export', 'help'])
  assert.equal(help.code, 0)
  assert.equal(help.out, (await runGatehouse(['export', '--help'])).out)
  const ofCommand = await runGatehouse(['export', 'help', 'schedule', 'add'])
  assert.match(ofCommand.out, /^Usage: gatehouse export schedule add /)
})

test('a command that creates or adds something offers no option that removes it', async () => {
  const creating = (await loadAllCommands()).filter(({ name }) => /(?:^| )(?:create|add)$/.test(name))
  assert.ok(creating.length > 5)
  for (const { name, help } of creating) {
    const removing = help()
      .split('\n')
      // A toggle stays: --no-cards is a choice.
      .filter((line) => / [A-Z][^ ]*(?: …)?, --no-/.test(line))
    assert.deepEqual(removing, [], name)
  }
  const { code, err } = await runGatehouse(['export', 'schedule', 'add', 'daily', '--no-to'])
  assert.equal(code, 2)
  assert.match(err, /no option --no-to/)
})

// biome-ignore format: a table is read in columns.
const misuses: readonly (readonly [argv: readonly string[], said: RegExp])[] = [
  [['merchant', 'show'],                                       /NAME is missing/],
  [['merchant', 'show', 'a', 'b'],                             /Unexpected argument: b/],
  [['merchant', 'create', 'Not a name', '--title', 'x'],       /NAME must be up to 63 lower-case letters/],
  [['merchant', 'create', 'acme'],                             /--title is missing/],
  [['merchant', 'update', 'acme'],                             /Nothing to change/],
  [['merchant', 'update', 'acme', '--notification-url', 'ftp://x'], /--notification-url must be an http or https address/],
  [['merchant', 'update', 'acme', '--notification-url'],       /--notification-url needs a value/],
  [['merchant', 'update', 'acme', '--title', '--test-only'],   /--title needs a value/],
  [['merchant', 'update', 'acme', '--test-only=yes'],          /--test-only takes no value/],
  [['merchant', 'update', 'acme', '--rate', '1', '--rate', '2'], /--rate may be given only once/],
  [['merchant', 'update', 'acme', '--rate', '0'],              /--rate must be a whole number from 1/],
  [['merchant', 'update', 'acme', '--rate', '5', '--no-rate'], /cannot be combined/],
  [['merchant', 'update', 'acme', '--ip', '300.0.0.1'],        /--ip must be an address or a range/],
  [['merchant', 'update', 'acme', '--time-zone', 'Mars'],      /--time-zone must be a time zone/],
  [['merchant', 'rotate', 'acme', '--drop-old'],               /--drop-old requires --webhook-secret/],
  [['clock', 'advance', 'tomorrow'],                           /TIME must be a duration such as 90s/],
  [['callbacks', 'resend', 'acme', '12'],                      /ID must be an identifier/],
  [['mapping', 'show', 'acme', 'S2S'],                         /PROTOCOL must be one of S2S_CARD, S2S_APM, CHECKOUT/],
  [['sign', 'card.start'],                                     /Give --password or --merchant/],
  [['verify', 'webhook'],                                      /Give --secret or --merchant/],
]

for (const [argv, said] of misuses) {
  test(`"${argv.join(' ')}" is refused before the database is opened`, async () => {
    // There is no database here, so opening one would fail with another message.
    const { code, err, out } = await runGatehouse(argv, {
      environment: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    })
    assert.match(err, said)
    assert.equal(code, 2)
    assert.equal(out, '')
  })
}

test('a database that does not answer is reported with a remedy and without a stack trace', async () => {
  const { code, err } = await runGatehouse(['merchant', 'list'], {
    environment: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
  })
  assert.equal(code, 1)
  assert.match(err, /No database server listens at this address: .*ECONNREFUSED.*\n.*DATABASE_URL/)
  assert.doesNotMatch(err, /at .*\.ts:\d+/)
})

test('reading from a data folder without an instance does not create one', async () => {
  const { code, err } = await runGatehouse(['merchant', 'list'], { environment: { DATA_DIR: '/nowhere/at/all' } })
  assert.equal(code, 1)
  assert.match(err, /There is no instance in \/nowhere\/at\/all yet\.\n.*npm start/)
})

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const execute = promisify(execFile)

test('the program prints its version and ends with the exit code of its command', async () => {
  assert.equal((await execute(process.execPath, [main, '--version'])).stdout, `${release}\n`)
  await assert.rejects(execute(process.execPath, [main, 'xylophone']), { code: 2, stdout: '' })
})

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
