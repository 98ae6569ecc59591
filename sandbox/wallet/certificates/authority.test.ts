import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { cp, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { temporaryFolder } from '../../kit/testing/temporary-folder.ts'
import { newEcPair, newRsaPair, sha256 } from '../key-pair.ts'
import { isMarked } from '../marked-walk.ts'
import { Authority } from './authority.ts'
import type { CertifiedKey } from './certificate.ts'
import { oid } from './der.ts'
import { oids } from './oids.ts'

const now = Date.parse('2027-03-04T05:06:07Z')
const x509 = ({ der }: CertifiedKey): X509Certificate => new X509Certificate(der)
const has = ({ der }: CertifiedKey, type: string): boolean => der.includes(oid(type))
const years = ({ from, until }: CertifiedKey): number => (until.getTime() - from.getTime()) / (365 * 86_400_000)

// Its marked keys take a second to find, so most tests begin with a copy of one authority.
const prepared = await mkdtemp(join(tmpdir(), 'gatehouse-authority-'))
after(() => rm(prepared, { recursive: true }))
const first = await Authority.open(prepared, () => now)
await Promise.all([first.chain(), first.walletB()])

async function folderOf(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t)
  await cp(prepared, folder, { recursive: true })
  return folder
}

test('root, intermediate and leaves have the key types of chapter 40 §20.1, and all carry the sandbox mark', async (t) => {
  const authority = await Authority.open(await folderOf(t), () => now)
  const { root, intermediate, leafEc, leafRsa } = await authority.chain()
  const curve = (one: CertifiedKey): unknown => x509(one).publicKey.asymmetricKeyDetails?.namedCurve
  assert.deepEqual([curve(root), curve(intermediate), curve(leafEc)], ['secp384r1', 'prime256v1', 'prime256v1'])
  assert.equal(x509(leafRsa).publicKey.asymmetricKeyDetails?.modulusLength, 2048)
  assert.equal(years(root), 20)
  const end = new Date(leafEc.from)
  end.setUTCMonth(end.getUTCMonth() + 25)
  assert.deepEqual(leafEc.until, end)
  assert.ok([root, intermediate, leafEc, leafRsa].every((one) => has(one, oids.sandboxAuthority)))
  assert.ok(has(intermediate, oids.walletIntermediate) && !has(leafEc, oids.walletIntermediate))
  assert.ok(has(leafEc, oids.walletLeaf) && has(leafRsa, oids.walletLeaf) && !has(intermediate, oids.walletLeaf))
})

test('the chain verifies from leaf to root, and only there', async (t) => {
  const authority = await Authority.open(await folderOf(t), () => now)
  const { root, intermediate, leafEc, leafRsa } = await authority.chain()
  for (const leaf of [leafEc, leafRsa]) assert.ok(x509(leaf).verify(x509(intermediate).publicKey))
  assert.ok(x509(intermediate).verify(x509(root).publicKey))
  assert.ok(x509(root).verify(x509(root).publicKey))
  assert.ok(x509(intermediate).ca && x509(root).ca && !x509(leafEc).ca)
  const other = await (await Authority.open(await temporaryFolder(t), () => now)).chain()
  assert.ok(!x509(intermediate).verify(x509(other.root).publicKey))
})

test('every key of wallet B is marked, and no two are the same', async (t) => {
  const keys = await (await Authority.open(await folderOf(t), () => now)).walletB()
  const all = [keys.TEST, keys.PRODUCTION].flatMap(({ ECv1, ECv2, intermediate }) => [ECv1, ECv2, intermediate])
  for (const { spki } of all) {
    assert.ok(isMarked(spki))
    assert.equal(sha256(spki).toString('hex', 0, 2), '5a5b')
  }
  assert.equal(new Set(all.map(({ spki }) => spki.toString('hex'))).size, 6)
})

test('the authority is the same after a restart, in files that only their owner can read', async (t) => {
  const folder = await folderOf(t)
  const before = await Authority.open(folder, () => now)
  const after = await Authority.open(folder, () => now)
  const [one, two] = [await before.chain(), await after.chain()]
  assert.ok(one.root.der.equals(two.root.der) && one.leafRsa.der.equals(two.leafRsa.der))
  const [first, second] = [await before.walletB(), await after.walletB()]
  assert.ok(first.PRODUCTION.ECv1.spki.equals(second.PRODUCTION.ECv1.spki))
  for (const file of ['authority.json', 'wallet-b.json']) {
    assert.equal((await stat(join(folder, file))).mode & 0o777, 0o600)
  }
})

test('processes that create it concurrently in one folder end up with the same authority', async (t) => {
  const folder = await temporaryFolder(t)
  const roots = await Promise.all(
    [1, 2, 3].map(async () => (await (await Authority.open(folder, () => now)).chain()).root.der.toString('hex')),
  )
  assert.equal(new Set(roots).size, 1)
})

test('a leaf is renewed a month before it expires, and the renewal is stored', async (t) => {
  const folder = await folderOf(t)
  let moment = now
  const authority = await Authority.open(folder, () => moment)
  const { leafEc, root } = await authority.chain()
  moment = leafEc.until.getTime() - 31 * 86_400_000
  assert.ok((await authority.chain()).leafEc.der.equals(leafEc.der))
  moment += 2 * 86_400_000
  const renewed = await authority.chain()
  assert.ok(!renewed.leafEc.der.equals(leafEc.der))
  assert.ok(renewed.root.der.equals(root.der))
  const again = await (await Authority.open(folder, () => moment)).chain()
  assert.ok(again.leafEc.der.equals(renewed.leafEc.der))
})

test('during the overlap of a rotation, old and new sign alternately; afterwards only the new one', async (t) => {
  let moment = now
  const authority = await Authority.open(await folderOf(t), () => moment)
  const old = (await authority.chain()).intermediate.der.toString('hex')
  await authority.rotate('intermediate', 60)
  const seen = async (): Promise<ReadonlySet<string>> => {
    const reads = [1, 2, 3, 4].map(async () => (await authority.chain()).intermediate.der.toString('hex'))
    return new Set(await Promise.all(reads))
  }
  const during = await seen()
  assert.ok(during.size === 2 && during.has(old))
  moment += 61_000
  const after = await seen()
  assert.ok(after.size === 1 && !after.has(old))
})

test('a new intermediate key of wallet B is marked too, and the roots stay', async (t) => {
  const authority = await Authority.open(await folderOf(t), () => now)
  const before = await authority.walletB()
  await authority.rotate('wallet-b-intermediate', 0)
  const after = await authority.walletB()
  assert.ok(isMarked(after.TEST.intermediate.spki) && isMarked(after.PRODUCTION.intermediate.spki))
  assert.ok(!after.TEST.intermediate.spki.equals(before.TEST.intermediate.spki))
  assert.ok(after.TEST.ECv2.spki.equals(before.TEST.ECv2.spki))
})

test('a merchant’s certificate names the merchant in subject and extension, for EC and RSA keys', async (t) => {
  const authority = await Authority.open(await folderOf(t), () => now)
  const merchantIdentifier = 'merchant.example.gatehouse'
  for (const { spki, publicKey } of [await newEcPair(), await newRsaPair()]) {
    for (const kind of ['identity', 'processing'] as const) {
      const certificate = new X509Certificate(await authority.issueToMerchant({ kind, merchantIdentifier, spki }))
      assert.ok(certificate.subject.split('\n').includes(`UID=${merchantIdentifier}`))
      assert.ok(certificate.raw.includes(oid(oids.merchantIdentifier)))
      assert.ok(certificate.raw.includes('dbb4744ca6931255bf69443ea44de05e455704b41924888507ff8ba08b4b6517'))
      assert.ok(certificate.publicKey.equals(publicKey))
      assert.ok(certificate.verify(x509((await authority.session()).merchants).publicKey))
    }
  }
})
