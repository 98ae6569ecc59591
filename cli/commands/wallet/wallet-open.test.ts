import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import vectorA from '#server/wallets/tokens/fixtures/wallet-a.json' with { type: 'json' }
import vectorB from '#server/wallets/tokens/fixtures/wallet-b.json' with { type: 'json' }
import { type CommandRun, runGatehouse } from '../../test/gatehouse.ts'

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../server/src/wallets/tokens/fixtures/${name}`, import.meta.url))
const tokenA = fixture('wallet-a.json')
const tokenB = fixture('wallet-b.json')
const number = vectorA.expected.applicationPrimaryAccountNumber
const merchantIdentifier = Buffer.from(vectorA.merchantIdentifierBase64, 'base64').toString()

const open = (...argv: readonly string[]): Promise<CommandRun> => runGatehouse(['wallet', 'open', ...argv])
const openA = (...argv: readonly string[]): Promise<CommandRun> =>
  open(join(folder, 'token-a.json'), '--root', fixture('wallet-a-root.pem'), ...argv)
const keyA = ['--key', `${tokenA}#processingKeyScalarHex`, '--merchant-identifier', merchantIdentifier]
const ownTime = ['--at', vectorA.signedAt]

/** The published vector has only `paymentData`. */
const completeA = {
  paymentMethod: {},
  transactionIdentifier: vectorA.paymentData.header.transactionId,
  paymentData: vectorA.paymentData,
}
const sentA = JSON.stringify(completeA)

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-open-'))
  await writeFile(join(folder, 'token-a.json'), sentA)
})
after(() => rm(folder, { recursive: true, force: true }))

const results = ({ json }: CommandRun): Record<string, string> =>
  Object.fromEntries(json.checks.map(({ id, result }: { id: string; result: string }) => [id, result]))

test('a published wallet A token is genuine at its own time, and shown with its number masked', async () => {
  const { code, out } = await openA(...keyA, ...ownTime)
  assert.equal(code, 0, out)
  assert.match(out, /verdict +genuine/)
  assert.match(out, /A10 +signature +passed/)
  assert.match(out, /number +535375\*{6}1169/)
  assert.match(out, /amount_minor +100/)
  assert.ok(!out.includes(number))
  assert.ok(!out.includes(vectorA.expected.paymentData.onlinePaymentCryptogram))
})

test('number and cryptogram are shown if asked for', async () => {
  const { json } = await openA(...keyA, ...ownTime, '--reveal', '--json')
  assert.equal(json.content.number, number)
  assert.equal(json.content.cryptogram, vectorA.expected.paymentData.onlinePaymentCryptogram)
})

test('today the same token is refused for its age, and its content is still shown', async () => {
  const ran = await openA(...keyA, '--json')
  assert.equal(ran.code, 1)
  assert.equal(ran.json.genuine, false)
  assert.equal(results(ran).A11, 'failed')
  assert.equal(results(ran).A14, 'not reached')
  assert.equal(ran.json.content.number, '535375******1169')
})

test('without a key, the checks that need none are made', async () => {
  const ran = await openA(...ownTime, '--json')
  assert.equal(ran.code, 0)
  assert.equal(results(ran).A10, 'passed')
  assert.equal(results(ran).A14, 'not applicable')
  assert.equal(ran.json.content, null)
})

test('the token is compared with an order only if one is given', async () => {
  const ran = await openA(...keyA, ...ownTime, '--json')
  assert.deepEqual([results(ran).A17, results(ran).A18], ['not applicable', 'not applicable'])
  const equal = await openA(...keyA, ...ownTime, '--amount', '1.00', '--currency', 'USD', '--json')
  assert.deepEqual([equal.code, results(equal).A17, results(equal).A18], [0, 'passed', 'passed'])
  const less = await openA(...keyA, ...ownTime, '--amount', '0.99', '--currency', 'USD', '--json')
  assert.deepEqual([less.code, results(less).A18], [1, 'failed'])
  const other = await openA(...keyA, ...ownTime, '--amount', '1.00', '--currency', 'EUR', '--json')
  assert.deepEqual([other.code, results(other).A17], [1, 'failed'])
})

test('published wallet B tokens are genuine, or refused by the check they were published for', async () => {
  const v2 = ['--root', `${tokenB}#ecv2.rootKeys`, '--key', `${tokenB}#ecv2.privateKeyPkcs8`]
  const openB = (token: string) =>
    open(`${tokenB}#ecv2.tokens.${token}`, ...v2, '--recipient', vectorB.ecv2.recipient, '--json')
  const valid = await openB('valid')
  assert.deepEqual([valid.code, valid.json.content.number], [0, '411111******1111'])
  const refused = { expiredMessage: 'B10', plaintextNotJson: 'B9', invalidTag: 'B8', expiredIntermediate: 'B4' }
  for (const [token, check] of Object.entries(refused)) {
    const ran = await openB(token)
    assert.deepEqual([ran.code, results(ran)[check]], [1, 'failed'], token)
  }
  const at = new Date(vectorB.ecv1.validAtSeconds * 1000).toISOString()
  const v1 = ['--root', `${tokenB}#ecv1.rootKeys`, '--key', `${tokenB}#ecv1.privateKeyScalarHex`, '--at', at]
  const direct = await open(`${tokenB}#ecv1.tokens.tokenizedCard`, ...v1, '--recipient', vectorB.ecv1.recipient)
  assert.equal(direct.code, 0, direct.out)
})

const openText = (input: string): Promise<CommandRun> =>
  runGatehouse(['wallet', 'open', '-', '--root', fixture('wallet-a-root.pem'), ...keyA, ...ownTime], { input })

test('a token is read from standard input', async () => {
  const { code, out } = await openText(sentA)
  assert.equal(code, 0, out)
  assert.match(out, /answer +accepted, unless it was used before/)
})

test('a token that the gateway refuses for its shape is refused here too, with the mistake, and its content is shown', async () => {
  const mistakes: readonly (readonly [sent: string, reason: RegExp])[] = [
    [JSON.stringify(vectorA.paymentData), /paymentData alone/],
    [JSON.stringify({ token: completeA }), /the whole payment/],
    [JSON.stringify(sentA), /encoded as JSON twice/],
    [Buffer.from(sentA).toString('base64'), /base64/],
  ]
  for (const [sent, reason] of mistakes) {
    const { code, out } = await openText(sent)
    assert.equal(code, 1, out)
    assert.match(out, /verdict +refused/)
    assert.match(out, /answer +100000 This value is not valid\./)
    assert.match(out, reason)
    assert.match(out, /A10 +signature +passed/)
    assert.match(out, /number +535375\*{6}1169/)
  }
})

test('the answer to a token that fails another check is named with its reason', async () => {
  const { out } = await openA(...keyA)
  assert.match(out, /answer +250003 The payment token signature has expired/)
  assert.match(out, /reason +A11 time: /)
})

test('missing and invalid options are explained', async () => {
  const notKey = join(folder, 'key.pem')
  await writeFile(notKey, 'hello')
  const other = join(folder, 'other.json')
  await writeFile(other, '{"a":1}')
  const said: readonly (readonly [argv: readonly string[], err: RegExp])[] = [
    [[tokenA], /--root is missing/],
    [[join(folder, 'none.json')], /cannot be read/],
    [[other, '--root', tokenA], /wallet cannot be recognised/],
    [[`${tokenA}#nothing`], /has no member nothing/],
    [[tokenA, '--root', other], /root file is not one certificate/],
    [[tokenA, '--root', fixture('wallet-a-root.pem'), '--key', notKey], /Not a key/],
    [[tokenA, '--root', fixture('wallet-a-root.pem'), '--amount', '1'], /must be given together/],
    [[tokenA, '--at', 'yesterday'], /--at must be a time/],
  ]
  for (const [argv, err] of said) {
    const ran = await open(...argv)
    assert.notEqual(ran.code, 0, argv.join(' '))
    assert.match(ran.err, err)
    assert.doesNotMatch(ran.err, /\n +at /)
  }
})
