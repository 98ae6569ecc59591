/** Chapter 40 §4.2: "Check now" repeats all checks and compares the stored keys with those of the last 100 tokens. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { WalletRecordKey } from '#server/contracts/wallet-records.ts'
import { refusedTokenStore } from '#server/store/wallets/refused-tokens.ts'
import { walletKeyStore } from '#server/store/wallets/wallet-keys.ts'
import type { CheckRow } from '#server/wallets/tokens/check-sheet.ts'
import { merchantIdentifier, openWalletSetup, pairOf, requireEntered } from '../../../test/wallets/wallet-setup.ts'
import { checkWallet } from './wallet-check.ts'
import { changeCountries } from './wallet-countries.ts'
import { addKey, promote, retire } from './wallet-keys.ts'
import { saveWallet } from './wallets.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
before(async () => {
  scene = await openWalletSetup()
})
after(() => scene.drop())

const first = pairOf('first')

async function place(over: Partial<WalletRecordKey> = {}): Promise<WalletRecordKey> {
  const shop = await scene.place(over)
  const key =
    shop.wallet === 'walletapay'
      ? { merchantIdentifier, processingPrivateKey: first.privateKey, processingCertificate: first.certificate }
      : { privateKey: first.privateKey }
  requireEntered(await saveWallet(scene.context, shop, { enabled: true, ...key }))
  return shop
}

const recordOf = ({ wallet }: WalletRecordKey, row: Pick<CheckRow, 'id' | 'result' | 'detail'>) => ({
  wallet,
  version: null,
  flow: 'card' as const,
  flowReason: '',
  trust: { rootFingerprint: null, source: 'wallet maker' as const, environment: null },
  checks: [{ ...row, name: 'key' }],
  panType: null,
  numberKind: null,
  network: null,
})

async function refuse(of: WalletRecordKey, detail: string, id = 'A13'): Promise<void> {
  const { merchantId, mode } = of
  const record = recordOf(of, { id, result: 'failed', detail })
  const at = scene.clock.now()
  const refused = { requestId: 'r', merchantId, mode, orderId: null, protocol: 'S2S_CARD', at, record }
  await refusedTokenStore(scene.pool, scene.context.ids).add(refused)
}

/** A payment whose token was decrypted by the key with this fingerprint. */
async function accept(of: WalletRecordKey, fingerprint: string): Promise<void> {
  const checks = recordOf(of, { id: 'A13', result: 'passed', detail: `current key ${fingerprint}` })
  await scene.pool.query(
    `insert into payments (merchant_id, id, protocol, action, kind, status, test, holds, order_id, order_description, amount_minor,
       amount_decimals, currency, first_transaction, created_at, updated_at, facts)
     values ($1, $2, 'S2S_CARD', 'SALE', 'sale', 'SETTLED', $3, false, 'o', 'd', 100, 2, 'EUR', gen_random_uuid(), $4, $4, $5)`,
    [
      of.merchantId,
      scene.context.ids.next(),
      of.mode === 'test',
      scene.clock.now(),
      JSON.stringify({ wallet: { name: of.wallet, checks } }),
    ],
  )
}

const aboutTokens = async (of: WalletRecordKey): Promise<readonly string[]> =>
  (await checkWallet(scene.context, of)).map(({ text }) => text).filter((text) => text.includes('of the last'))
const stranger = 'ab'.repeat(32)

test('an unfinished setup is a warning, because nothing is broken', async () => {
  const shop = await scene.place()
  requireEntered(await saveWallet(scene.context, shop, { enabled: true }))
  const findings = await checkWallet(scene.context, shop)
  assert.ok(findings.length > 0)
  assert.deepEqual(
    findings.filter(({ level }) => level === 'problem'),
    [],
  )
})

test('tokens for an unknown or retired key are reported with their number; those of active keys are not', async () => {
  const shop = await place()
  assert.deepEqual(await aboutTokens(shop), [])
  await accept(shop, first.fingerprint)
  await refuse(shop, `no active key ${stranger}`)
  await refuse(shop, `no active key ${stranger}`)
  assert.deepEqual(await aboutTokens(shop), [`2 of the last 3 tokens were encrypted with the unknown key ${stranger}.`])
  const other = await place()
  const next = requireEntered(await addKey(scene.context, other, 'processing', pairOf('second')))
  requireEntered(await promote(scene.context, other, next.fingerprint))
  requireEntered(await retire(scene.context, other, first.fingerprint))
  await refuse(other, `no active key ${first.fingerprint}`)
  assert.deepEqual(await aboutTokens(other), [
    `1 of the last 1 tokens were encrypted with the retired key ${first.fingerprint}.`,
  ])
})

test('newest tokens for a retiring key show that the wallet provider does not use the new key yet', async () => {
  const shop = await place()
  await accept(shop, first.fingerprint)
  const next = requireEntered(await addKey(scene.context, shop, 'processing', pairOf('second')))
  requireEntered(await promote(scene.context, shop, next.fingerprint))
  assert.match(
    String(await aboutTokens(shop)),
    /^1 of the last 1 tokens and the newest were made for the retiring key /,
  )
  scene.passDays(1)
  await accept(shop, next.fingerprint)
  assert.deepEqual(await aboutTokens(shop), [])
})

test('the last 100 tokens count, accepted and refused, of the same mode and wallet only', async () => {
  const shop = await place()
  await refuse(shop, `no active key ${stranger}`)
  await refuse({ ...shop, mode: 'test' }, `no active key ${'cd'.repeat(32)}`)
  scene.passDays(1)
  for (let count = 0; count < 99; count += 1) await accept(shop, first.fingerprint)
  assert.deepEqual(await aboutTokens(shop), [
    `1 of the last 100 tokens were encrypted with the unknown key ${stranger}.`,
  ])
  await accept(shop, first.fingerprint)
  assert.deepEqual(await aboutTokens(shop), [])
})

test('wallet B tokens name no key and are counted if no key decrypts them', async () => {
  const shop = await place({ wallet: 'walletbpay' })
  await refuse(shop, 'no active key', 'B8')
  assert.deepEqual(await aboutTokens(shop), ['1 of the last 1 tokens were encrypted with an unknown key.'])
})

test('values that have become invalid since entry are found: country, certificate, an unreadable key', async () => {
  const shop = await place()
  requireEntered(await saveWallet(scene.context, shop, { country: 'DE' }))
  assert.ok((await changeCountries(scene.pool, 'walletapay', ['US'])).ok)
  const [key] = await walletKeyStore(scene.pool).list(shop)
  await scene.pool.query('update wallet_keys set certificate = $2, fingerprint = $3 where id = $1', [
    key?.id,
    pairOf('other').certificate,
    stranger,
  ])
  const problems = (await checkWallet(scene.context, shop)).filter(({ level }) => level === 'problem')
  assert.deepEqual(
    problems.map(({ text }) => text),
    [
      'country: This value is not valid.',
      `processing_private_key: The key ${stranger} cannot be decrypted.`,
      'processing_certificate: The certificate does not belong to the key.',
    ],
  )
})
