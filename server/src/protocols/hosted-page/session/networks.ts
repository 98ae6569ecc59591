/**
 * The card networks of a method's MIDs. Chapter 30 §7.3: a number of another network is refused at payment, before its check digit is
 * checked.
 */
import { type CardNetwork, cardNetworks, networkOf } from '#domain/card.ts'
import type { Secret } from '#domain/secret.ts'
import type { Configuration } from '../../../contracts/ports.ts'
import type { OfferedMethod } from '../../../payments/sessions/offer.ts'

export function networksOf(
  { mids }: OfferedMethod,
  configuration: Pick<Configuration, 'brandEnabled'>,
): readonly CardNetwork[] {
  return cardNetworks.filter(
    (network) =>
      configuration.brandEnabled(network) &&
      mids.some(
        ({ mid, capabilities }) => serves(mid.networks, network) && serves(capabilities.networks ?? [], network),
      ),
  )
}

/** An empty list means every network. */
const serves = (networks: readonly string[], network: string): boolean =>
  networks.length === 0 || networks.includes(network)

/** Digits of the verification code. */
export const codeLength = (network: string | null | undefined): number => (network === 'amex' ? 4 : 3)

export const networkOfCard = (number: Secret<string>): CardNetwork | undefined => networkOf(number.reveal())
