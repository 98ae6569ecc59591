/** The context for editing wallets, and how results are returned: invalid input is a value, never an exception. */
import type { SetupContext } from '../../setup/context.ts'
import type { EntryFault } from '../tokens/entry-fault.ts'

export interface WalletSetupContext extends SetupContext {
  readonly instanceMode: 'live' | 'sandbox'
  /** The trust source of new records unless the entry names one. */
  readonly trustSource: 'wallet maker' | 'sandbox authority'
  /** The domain under which every merchant has a host with its name; absent or null if there is none. */
  readonly checkoutDomain?: string | null
  /** Named in the history. */
  readonly byUser: string
}

/** The field as the interface names it, and what is wrong with it. */
export interface FieldFault {
  readonly field: string
  readonly text: string
}

export type EntryResult<T> =
  | { readonly ok: true; readonly value: T; readonly notes: readonly string[] }
  | { readonly ok: false; readonly faults: readonly FieldFault[] }

export const acceptEntry = <T>(value: T, notes: readonly string[] = []): EntryResult<T> => ({ ok: true, value, notes })

export const refuseEntry = (
  ...faults: readonly FieldFault[]
): { readonly ok: false; readonly faults: readonly FieldFault[] } => ({
  ok: false,
  faults,
})

export const faultOf = (field: string, { text }: Pick<EntryFault, 'text'>): FieldFault => ({ field, text })

/** As the interface prints it. */
export const faultText = ({ field, text }: FieldFault): string => `${field}: ${text}`

export const blank = 'This value should not be blank.'
export const notValid = 'This value is not valid.'
export const notAChoice = 'The value you selected is not a valid choice.'
