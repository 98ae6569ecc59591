/**
 * `npm run bench -- wallet-peers`: opening wallet tokens with every check, against packages that only decrypt them. The packages are not among those of the
 * gateway, so the compiler does not know their types.
 */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { oids } from '#server/wallets/tokens/asn1/oids.ts'
import { KnownCertificates } from '#server/wallets/tokens/known-certificates.ts'
import { KnownIntermediates } from '#server/wallets/tokens/known-intermediates.ts'
import { extension, leaf, pem, reissue } from '#server/wallets/tokens/testing/authority.ts'
import { utf8 } from '#server/wallets/tokens/testing/der.ts'
import { type SampleKey, sha256 } from '#server/wallets/tokens/testing/keys.ts'
import * as a from '#server/wallets/tokens/testing/wallet-a.ts'
import * as b from '#server/wallets/tokens/testing/wallet-b.ts'
import type { Figure } from '../figure-table.ts'
import { installPackages } from '../installed-packages.ts'
import { comparedFigures } from './alternation.ts'
import { openA, openB } from './figures.ts'

interface Decrypter {
  decrypt(token: object): Readonly<Record<string, unknown>>
}
type DecrypterClass = new (terms: { readonly merchants: readonly object[] }) => Decrypter

const folder = fileURLToPath(new URL('packages/', import.meta.url))
const goal = { at: 'most', ratio: 1 } as const

export async function walletPeerFigures(rounds = 40): Promise<readonly Figure[]> {
  await installPackages(folder)
  const require = createRequire(folder)
  const { ApplePaymentTokenContext } = require('@basis-theory/apple-pay-js') as Readonly<Record<string, DecrypterClass>>
  const { GooglePaymentMethodTokenContext } = require('@basis-theory/google-pay-js') as Readonly<
    Record<string, DecrypterClass>
  >
  if (!ApplePaymentTokenContext || !GooglePaymentMethodTokenContext)
    throw new Error('The packages have other names now.')
  return [
    ...comparedFigures('EC_v1', {
      ours: openA(new KnownCertificates()),
      other: decryptA(ApplePaymentTokenContext),
      against: '@basis-theory/apple-pay-js, decrypted only',
      rounds,
      goal,
    }),
    ...comparedFigures('ECv2', {
      ours: openB(new KnownIntermediates()),
      other: decryptB(GooglePaymentMethodTokenContext),
      against: '@basis-theory/google-pay-js, decrypted only',
      rounds,
      goal,
    }),
  ]
}

/** Both begin with the text of the token, as it arrives. */
function decryptA(context: DecrypterClass): () => void {
  const text = JSON.stringify(a.mint().paymentData)
  const id = utf8(sha256(a.merchantIdentifier).toString('hex'))
  const { der } = reissue(leaf, { key: a.processingKey, extensions: [extension(oids.merchantIdentifier, id)] })
  const decrypter = new context({
    merchants: [{ certificatePem: pem(der), privateKeyPem: keyText(a.processingKey) }],
  })
  return () => requireCard(decrypter.decrypt(JSON.parse(text)), 'applicationPrimaryAccountNumber')
}

function decryptB(context: DecrypterClass): () => void {
  const text = JSON.stringify(b.mint())
  const decrypter = new context({ merchants: [{ privateKeyPem: keyText(b.privateKey) }] })
  return () => requireCard(decrypter.decrypt(JSON.parse(text)), 'paymentMethodDetails')
}

const keyText = ({ privateKey }: SampleKey): Buffer => Buffer.from(privateKey.export({ format: 'pem', type: 'sec1' }))

function requireCard(decrypted: Readonly<Record<string, unknown>>, member: string): void {
  if (!decrypted[member]) throw new Error('The package did not decrypt the token of the measurement.')
}
