/** An amount of a difference, with what it is for: negative if the money leaves. */
import type { JSX } from 'preact'
import { isOutgoing } from '#domain/settlement/settlement-kind.ts'
import { Money } from '../../kit/values/money.tsx'
import { type Difference, movementTexts } from './settlement.ts'

interface DifferenceSumProps {
  readonly of: Pick<Difference, 'movement' | 'currency' | 'decimals'>
  readonly minor: string
}

export function DifferenceSum({ of: { movement, currency, decimals }, minor }: DifferenceSumProps): JSX.Element {
  const signed = movement !== null && isOutgoing(movement) ? -BigInt(minor) : BigInt(minor)
  return (
    <>
      {movement !== null && `${movementTexts[movement]} `}
      <Money minor={signed} currency={currency} decimals={decimals} />
    </>
  )
}
