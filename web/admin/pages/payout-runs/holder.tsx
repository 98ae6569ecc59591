/** The holder of an account, with the name that the bank gets if it is another one. */
import type { JSX } from 'preact'
import { bankName } from '#domain/payout/bank-text.ts'

export function Holder({ name }: { readonly name: string }): JSX.Element {
  const written = bankName(name)
  return (
    <>
      {name}
      {written !== name && (
        <>
          <br />
          <span class="faint">Written for the bank: {written}</span>
        </>
      )}
    </>
  )
}
