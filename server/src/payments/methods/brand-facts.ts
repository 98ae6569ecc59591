/** The brand's data that is stored with a payment, so that later steps use the version it was made with. Chapter 20 §5.1, "version". */
import { type Brand, documentOf, limitsOf } from '#domain/brand/brand.ts'
import type { Choice } from '#domain/routing/choice.ts'
import type { BrandFacts } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

interface NamedBrand {
  readonly brand: Brand
  readonly sentAs: string
  readonly identifier?: string | null
  readonly cryptoNetwork?: string | null
}

/** `cardFlow`: the number of a wallet's token is processed as a card. */
export function newBrandFacts(
  { acquirers, clock }: Pick<Deps, 'acquirers' | 'clock'>,
  { brand, sentAs, identifier = null, cryptoNetwork = null }: NamedBrand,
  choice: Pick<Choice, 'mid'>,
  cardFlow = false,
): BrandFacts {
  const partialCapture = acquirers.connector(choice.mid.connector)?.supports.partialCapture ?? false
  return {
    code: brand.code,
    sentAs,
    kind: brand.kind,
    version: brand.version,
    identifier,
    cryptoNetwork,
    checkoutName: brand.checkoutName,
    document: documentOf(brand, { card: cardFlow }),
    waiting: brand.waiting,
    ...limitsOf(brand, { partialCapture }),
    expiresAt: new Date(clock.now().getTime() + brand.expiresAfterSeconds * 1000).toISOString(),
    sandboxBehaviour: brand.sandboxBehaviour,
  }
}
