/** The samples were made by the programs age and age-keygen, version 1.1.1. */
import assert from 'node:assert/strict'
import { createPublicKey, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { decryptWith, encryptTo } from './age.ts'
import { createIdentity, formatRecipient, readIdentities, readRecipient } from './age-keys.ts'

const chunk = 64 * 1024

const sampleRecipient = 'age1rwtgmw2c7l0d74z9u08gvav5plpgah46w9tx39e4vyhglkv0k5zqq6nzpv'
const sampleIdentity = 'AGE-SECRET-KEY-1A8PPH0DR2JKE2F93SUC9FHU84LM3T9TYM6DKJHM9F26AM49SMNUQR7LTRK'
const sampleFile =
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBlTUlQamxoZHQ4ck0vT1MyV3F2U3ZPUlVsd2lzdGhwS2FTSGVyMGdxVFhNCmxhc1lnenNRTjgvY0FKejAv' +
  'cG9MK21QYnBWOFhJaUFOMFFQdndIQ3I1cWsKLS0tIFBwVjVLSnNwSFJ1bk00SmRXODlJbU5JLzhRTU1KQTdPYSs1M0dQOG94aTQKoS3DLdiqD6OvuhszrHS9WV3W' +
  'Xo5Ofq3KFZtXqB/EnNCcJxcwZlzSD6nw3g=='

const { text, recipient } = createIdentity(new Date('2026-11-16T00:00:00Z'))
const identities = readIdentities(text)

const encrypt = (data: Buffer) => buffer(Readable.from([data]).pipe(encryptTo(key(recipient))))
const key = (address: string) => readRecipient(address) ?? assert.fail(`${address} is not a recipient.`)

/** `step` is how the bytes arrive. */
function decrypt(data: Buffer, by = identities, step = data.length): Promise<Buffer> {
  const parts = Array.from({ length: Math.ceil(data.length / step) }, (_, index) =>
    data.subarray(index * step, (index + 1) * step),
  )
  const stream = decryptWith(by)
  const result = buffer(stream)
  Readable.from(parts)
    .on('error', (error) => stream.destroy(error))
    .pipe(stream)
  return result
}

describe('an encrypted backup', () => {
  test('is read back byte by byte, whatever its size and however it arrives', async () => {
    for (const size of [0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 77]) {
      const data = randomBytes(size)
      const sealed = await encrypt(data)
      for (const step of [sealed.length, 1000])
        assert.ok((await decrypt(sealed, identities, step)).equals(data), `${size}`)
    }
  })

  test('that was cut off is refused, also between two chunks', async () => {
    const sealed = await encrypt(randomBytes(2 * chunk + 5))
    const headerLength = sealed.length - (2 * chunk + 5 + 3 * 16)
    for (const length of [
      0,
      10,
      headerLength - 20,
      headerLength,
      headerLength + chunk + 16,
      headerLength + 2 * (chunk + 16),
      sealed.length - 1,
    ])
      await assert.rejects(decrypt(sealed.subarray(0, length), identities, 5000), { name: 'AgeError' }, `${length}`)
  })

  test('in which one bit was changed is refused', async () => {
    const sealed = await encrypt(randomBytes(100))
    for (let at = 0; at < sealed.length; at += 7) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      await assert.rejects(decrypt(changed), `byte ${at}`)
    }
  })

  test('can be read only with its own key, which may be one of several', async () => {
    const others = readIdentities(createIdentity(new Date('2026-11-17T00:00:00Z')).text)
    const sealed = await encrypt(Buffer.from('dump'))
    await assert.rejects(decrypt(sealed, others), /another key/)
    assert.equal(String(await decrypt(sealed, [...others, ...identities])), 'dump')
  })
})

describe('the program age', () => {
  test('writes files and keys that are read here', async () => {
    const sample = readIdentities(`# created by age-keygen\n${sampleIdentity}\n`)
    assert.equal(String(await decrypt(Buffer.from(sampleFile, 'base64'), sample)), 'made by age')
    assert.deepEqual(
      sample.map((one) => formatRecipient(createPublicKey(one))),
      [sampleRecipient],
    )
  })
})

test('a key with a typing error is no key', () => {
  assert.ok(readRecipient(sampleRecipient))
  for (const wrong of ['', 'age1', sampleRecipient.replace('w', 'q'), sampleRecipient.slice(0, -1), sampleIdentity])
    assert.equal(readRecipient(wrong), null, wrong)
  assert.deepEqual(readIdentities(`${sampleIdentity.slice(0, -1)}Q\n${sampleRecipient}`), [])
})
