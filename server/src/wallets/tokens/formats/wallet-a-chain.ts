/** The certificates of a wallet A token, from the signer to the trusted root (Chapter 40 §11.2, A5 and A6). */
import { type Certificate, keyUsages } from '../asn1/certificate.ts'
import { oids } from '../asn1/oids.ts'
import { CheckFailed, demand } from '../check-sheet.ts'
import type { KnownCertificates } from '../known-certificates.ts'
import { isSandboxCertificate, type WalletATrust } from '../trust.ts'

interface Chain {
  readonly leaf: Certificate
  readonly intermediate: Certificate
}

export interface ChainTerms {
  readonly trust: WalletATrust
  readonly known: KnownCertificates
  /** Serials that the operator refuses, in hexadecimal. */
  readonly deniedSerials: ReadonlySet<string>
}

/** The chain belongs to the other kind of authority. A live instance raises an alert if it is a sandbox's (Chapter 40 §14). */
export class OtherAuthority extends CheckFailed {
  readonly sandboxToken: boolean

  constructor(sandboxToken: boolean) {
    super(sandboxToken ? 'of a sandbox authority' : 'not of the sandbox authority')
    this.sandboxToken = sandboxToken
  }
}

/** A5. */
export function sortCertificates(ders: readonly Buffer[], { trust, known }: ChainTerms): Chain {
  demand(ders.length === 2 || ders.length === 3, `${ders.length} certificates`)
  const certificates = ders.filter((der) => !der.equals(trust.root.der)).map((der) => known.read(der))
  const [leaf, ...moreLeaves] = certificates.filter(({ extensions }) => extensions.has(oids.walletLeaf))
  const [intermediate, ...more] = certificates.filter(({ extensions }) => extensions.has(oids.walletIntermediate))
  demand(leaf !== undefined && moreLeaves.length === 0, 'not exactly one leaf')
  demand(intermediate !== undefined && more.length === 0, 'not exactly one intermediate')
  demand(leaf !== intermediate && certificates.length === 2, 'a certificate that does not belong here')
  return { leaf, intermediate }
}

/** A6. Without a signing time the certificates cannot be checked against it; check A8 reports that it is missing. */
export function checkChain(chain: Chain, signingTime: Date | null, terms: ChainTerms): void {
  const { leaf, intermediate } = chain
  const { root } = terms.trust
  checkAuthority(chain, terms.trust)
  demand(leaf.issuer.equals(intermediate.subject), 'the leaf has another issuer')
  demand(intermediate.issuer.equals(root.subject), 'the intermediate has another issuer')
  demand(intermediate.isAuthority, 'the intermediate is no authority')
  demand(intermediate.keyUsage?.has(keyUsages.keyCertSign) === true, 'the intermediate may not sign certificates')
  demand(!leaf.isAuthority, 'the leaf is an authority')
  demand(leaf.keyUsage?.has(keyUsages.digitalSignature) === true, 'the leaf may not sign')
  for (const certificate of [leaf, intermediate]) {
    checkCriticalExtensions(certificate)
    if (terms.deniedSerials.has(certificate.serial)) throw new CheckFailed(`serial ${certificate.serial} is denied`)
  }
  if (signingTime !== null)
    for (const certificate of [leaf, intermediate, root]) checkValidity(certificate, signingTime)
  demand(terms.known.isSignedBy(intermediate, root), 'the root did not sign the intermediate')
  demand(terms.known.isSignedBy(leaf, intermediate), 'the intermediate did not sign the leaf')
}

const understood: readonly string[] = [
  oids.basicConstraints,
  oids.keyUsage,
  oids.walletLeaf,
  oids.walletIntermediate,
  oids.sandboxAuthority,
]

/** Chapter 40 §14: every certificate of a sandbox authority is marked, and none of a wallet provider's is. */
function checkAuthority({ leaf, intermediate }: Chain, { source }: WalletATrust): void {
  const expected = source === 'sandbox authority'
  const fits = [leaf, intermediate].every((certificate) => isSandboxCertificate(certificate) === expected)
  if (!fits) throw new OtherAuthority(!expected)
}

function checkCriticalExtensions({ extensions }: Certificate): void {
  for (const [oid, { critical }] of extensions) {
    if (critical && !understood.includes(oid)) throw new CheckFailed(`unknown critical extension ${oid}`)
  }
}

function checkValidity({ validFrom, validUntil, serial }: Certificate, moment: Date): void {
  const at = moment.getTime()
  if (at < validFrom.getTime()) throw new CheckFailed(`serial ${serial} is valid from ${validFrom.toISOString()}`)
  if (at > validUntil.getTime()) throw new CheckFailed(`serial ${serial} expired at ${validUntil.toISOString()}`)
}
