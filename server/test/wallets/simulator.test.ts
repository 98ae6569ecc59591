// The wallet simulator against the gateway's own checks: every row of chapter 40 §19.2.
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { simulatorCards } from '#sandbox/wallet/cards.ts'
import { pem } from '#sandbox/wallet/certificates/certificate.ts'
import { type FaultRow, faultRows, type Version } from '#sandbox/wallet/mint/faults.ts'
import { type MintAnswer, Wallet } from '#sandbox/wallet/wallet.ts'
import { keyListOf } from '#sandbox/wallet/wallet-b-keys.ts'
import { openWalletA, type WalletATerms } from '#server/wallets/tokens/formats/wallet-a.ts'
import { openWalletB, type WalletBTerms } from '#server/wallets/tokens/formats/wallet-b.ts'
import { gatewayRecipient } from '#server/wallets/tokens/formats/wallet-b-signature.ts'
import { KnownCertificates } from '#server/wallets/tokens/known-certificates.ts'
import { KnownIntermediates } from '#server/wallets/tokens/known-intermediates.ts'
import type { OpenedToken } from '#server/wallets/tokens/opened-token.ts'
import { sampleKey } from '#server/wallets/tokens/testing/keys.ts'
import { active, providerTrust, termsB as samplesB, verdict, virtual } from '#server/wallets/tokens/testing/terms.ts'
import { loadWalletATrust, loadWalletBTrust } from '#server/wallets/tokens/trust.ts'

const identifier = 'merchant.example.simulator'
const gatewayMerchantId = '7b6f6a52-1f6e-11ee-be56-0242ac120002'
const ec = sampleKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
const rsa = sampleKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
const start = Date.parse('2027-03-04T05:06:07.890Z')

let folder: string
let wallet: Wallet
let moment = start

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-simulator-'))
  wallet = await Wallet.open(folder, () => moment)
})
after(async () => {
  await wallet.close()
  await rm(folder, { recursive: true })
})

const spki = (key: KeyObject): string => key.export({ format: 'der', type: 'spki' }).toString('base64')
const recipient = {
  merchant_identifier: identifier,
  keys: [ec, rsa].map(({ publicKey }) => ({ state: 'current', spki: spki(publicKey) })),
  gateway: 'gatehouse',
  gateway_merchant_id: gatewayMerchantId,
  environment: 'TEST',
}

const walletOf = (version: Version) => (version.includes('_') ? 'walletapay' : 'walletbpay')

async function mint(version: Version, fields: object = {}): Promise<MintAnswer> {
  const order = walletOf(version) === 'walletapay' ? { amount: '1.99', currency: 'USD' } : {}
  const answer = await wallet.mint({ wallet: walletOf(version), version, recipient, ...order, ...fields })
  if (typeof answer === 'string') assert.fail(answer)
  return answer
}

async function termsA(changes: Partial<WalletATerms> = {}): Promise<WalletATerms> {
  const { root } = await wallet.authority.chain()
  return {
    now: new Date(moment),
    lifetimeSeconds: 300,
    trust: loadWalletATrust({ instanceMode: 'sandbox', source: 'sandbox authority', pem: pem(root), sha256: null }),
    known: new KnownCertificates(),
    deniedSerials: new Set(),
    flow: {
      kind: 'card',
      reason: 'processing key',
      keys: [active(ec), active(rsa)],
      merchantIdentifier: identifier,
      order: { currency: 'USD', amountMinor: 199n },
    },
    bindingValue: null,
    ...changes,
  }
}

async function termsB(changes: Partial<WalletBTerms> = {}, expired = false): Promise<WalletBTerms> {
  const keys = await wallet.authority.walletB()
  const json = JSON.stringify(keyListOf(keys.TEST, expired ? new Date(0) : keys.expiresAt))
  return {
    now: new Date(moment),
    trust: loadWalletBTrust({
      instanceMode: 'sandbox',
      source: 'sandbox authority',
      environment: 'TEST',
      json,
      shippedFingerprints: new Set(),
    }),
    known: new KnownIntermediates(),
    recipients: { gateway: gatewayRecipient('gatehouse', gatewayMerchantId), merchant: null },
    flow: { kind: 'card', reason: 'private key', keys: [active(ec)] },
    allowedAuthMethods: null,
    ...changes,
  }
}

/** The terms under which a row's fault shows, if it is not in the token alone. */
async function open(
  { run }: FaultRow,
  version: Version,
  flow: 'card' | 'virtual',
  answer: MintAnswer,
): Promise<OpenedToken> {
  const without = flow === 'virtual' ? { flow: virtual } : {}
  if (walletOf(version) === 'walletapay') {
    const terms = await termsA({
      ...without,
      ...(run === 'deny serial' && { deniedSerials: new Set([answer.facts['leaf_serial'] ?? '']) }),
      ...(run === 'checkout' && { bindingValue: 'this session' }),
      ...(run === 'live instance' && { trust: providerTrust() }),
    })
    return openWalletA(answer.token, terms)
  }
  const terms = await termsB(
    {
      ...without,
      ...(run === 'no pan only' && { allowedAuthMethods: ['CRYPTOGRAM_3DS'] as const }),
      ...(run === 'live instance' && { trust: samplesB.trust, now: new Date('2026-07-01T12:00:00Z') }),
    },
    run === 'expired roots',
  )
  return openWalletB(answer.token, terms)
}

const refusals = { 100000: 'malformed', 250003: 'expired-or-altered', 250004: 'mismatch', passes: '' } as const

/** The database decides whether a token was used before, so the checks themselves accept these. */
const decidedByStore = ['twice', 'second merchant', 'parallel', 'before']

for (const row of faultRows) {
  for (const version of row.versions) {
    test(`${row.number} ${row.fault} of ${version} is refused by ${row.checks[version]}`, async () => {
      const answer = await mint(version, { fault: row.fault })
      for (const flow of ['card', 'virtual'] as const) {
        const found = verdict(await open(row, version, flow, answer))
        const passes = row[flow] === 'passes' || decidedByStore.includes(row.run)
        assert.equal(found, passes ? 'passed' : `${row.checks[version]} ${refusals[row[flow]]}`, flow)
      }
    })
  }
}

for (const version of ['EC_v1', 'RSA_v1'] as const) {
  test(`a token of ${version} without a fault opens to the requested card`, async () => {
    for (const { name, dpan, fpan } of simulatorCards) {
      for (const [panType, number, kind] of [
        ['DPAN', dpan, 'device number'],
        ['FPAN', fpan, 'funding number'],
        ['MPAN', dpan, 'merchant token'],
      ] as const) {
        const { token } = await mint(version, { card: name, pan_type: panType })
        const opened = openWalletA(token, await termsA())
        assert.equal(verdict(opened), 'passed')
        assert.ok(opened.ok)
        assert.equal(opened.token.card?.number.reveal(), number)
        assert.equal(opened.token.card?.numberKind, kind)
        assert.deepEqual(opened.token.card?.expiry, { month: 12, year: 2031 })
      }
    }
  })
}

for (const version of ['ECv1', 'ECv2'] as const) {
  test(`a token of ${version} without a fault opens to the requested card, in every envelope`, async () => {
    for (const { name, dpan, fpan } of simulatorCards) {
      for (const [panType, number] of [['DPAN', dpan] as const, ['FPAN', fpan] as const]) {
        for (const envelope of ['payment_data', 'tokenization_data', 'bare']) {
          const { token } = await mint(version, { card: name, pan_type: panType, envelope })
          const opened = openWalletB(token, await termsB())
          assert.equal(verdict(opened), 'passed')
          assert.ok(opened.ok)
          assert.equal(opened.token.card?.number.reveal(), number)
          assert.equal(opened.token.card?.panType, panType)
        }
      }
    }
  })
}

test('a token signed 300 seconds ago or ahead passes, one second more does not', async () => {
  moment = Date.parse('2027-03-04T05:06:07Z')
  for (const [signed_at, expected] of [
    [-300, 'passed'],
    [300, 'passed'],
    [-301, 'A11 expired-or-altered'],
    [301, 'A11 expired-or-altered'],
  ] as const) {
    assert.equal(verdict(openWalletA((await mint('EC_v1', { signed_at })).token, await termsA())), expected)
  }
})

test('a token contains the binding value of the session for which it was minted', async () => {
  const { token } = await mint('EC_v1', { application_data: 'gatehouse session 1' })
  assert.equal(verdict(openWalletA(token, await termsA({ bindingValue: 'gatehouse session 1' }))), 'passed')
  assert.equal(
    verdict(openWalletA(token, await termsA({ bindingValue: 'gatehouse session 2' }))),
    'A16 expired-or-altered',
  )
})

test('tokens for a next and for a retiring key open with it', async () => {
  const next = sampleKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
  for (const state of ['next', 'retiring'] as const) {
    const keys = [...recipient.keys, { state, spki: spki(next.publicKey) }]
    const { token, facts } = await mint('EC_v1', { recipient: { ...recipient, keys }, key: state })
    const { flow } = await termsA()
    assert.ok(flow.kind === 'card')
    const opened = openWalletA(
      token,
      await termsA({ flow: { ...flow, keys: [active(ec), active(next, state, new Date(start * 2))] } }),
    )
    assert.equal(verdict(opened), 'passed')
    assert.ok(opened.ok)
    assert.equal(opened.token.openedBy, facts['key_fingerprint'])
  }
})

test('after every rotation tokens verify without new trust anchors', async () => {
  const [a, b] = [await termsA(), await termsB()]
  for (const what of ['leaf', 'intermediate', 'wallet-b-intermediate'] as const) {
    await wallet.authority.rotate(what, 60)
    for (let index = 0; index < 4; index += 1) {
      assert.equal(verdict(openWalletA((await mint('EC_v1')).token, a)), 'passed')
      assert.equal(verdict(openWalletA((await mint('RSA_v1')).token, a)), 'passed')
      assert.equal(verdict(openWalletB((await mint('ECv2')).token, b)), 'passed')
    }
  }
})

test('years later the leaves have been renewed', async () => {
  for (const year of [2030, 2035, 2044]) {
    moment = Date.parse(`${year}-01-02T03:04:05Z`)
    assert.equal(verdict(openWalletA((await mint('EC_v1')).token, await termsA())), 'passed')
    assert.equal(verdict(openWalletB((await mint('ECv2')).token, await termsB())), 'passed')
  }
})

test('an omitted indicator is missing, and a given one is passed on unchanged', async () => {
  for (const [eci, expected] of [
    ['', null],
    ['05', '05'],
  ] as const) {
    const opened = [
      openWalletA((await mint('EC_v1', { eci })).token, await termsA()),
      openWalletB((await mint('ECv2', { eci })).token, await termsB()),
      openWalletB((await mint('ECv1', { eci })).token, await termsB()),
    ]
    for (const one of opened) assert.equal(one.ok && one.token.card?.eci, expected)
  }
})

test('EMV data, holder name and PIN data reach the card', async () => {
  const { token } = await mint('RSA_v1', { data_type: 'EMV', holder_name: 'Jane Doe' })
  const opened = openWalletA(token, await termsA())
  assert.ok(opened.ok)
  assert.equal(opened.token.card?.dataType, 'EMV')
  assert.equal(opened.token.card?.holderName?.reveal(), 'Jane Doe')
  assert.ok(opened.token.card?.emvData !== null && opened.token.card?.pinData !== null)
})
