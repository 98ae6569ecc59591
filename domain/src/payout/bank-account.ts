import { isBankName } from './bank-text.ts'

/** A bank account by its IBAN, or by another number where a country has no IBAN. */
export interface BankAccount {
  readonly holder: string
  /** Without spaces. */
  readonly number: string
  readonly bic: string | null
}

/** By its form alone; `accountFault` also verifies the check digits (ISO 13616). */
export const isIban = (number: string): boolean => /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(number)

export const isSameAccount = (one: BankAccount, other: BankAccount): boolean =>
  one.holder === other.holder && one.number === other.number && one.bic === other.bic

/** Explains what is wrong with an account; null if nothing is. */
export function accountFault({
  holder,
  number,
  bic,
}: BankAccount): { readonly field: string; readonly text: string } | null {
  if (!/^[\p{L}\p{N}][^\p{Cc}]{0,69}$/u.test(holder))
    return { field: 'holder', text: 'Enter the account holder with at most 70 characters.' }
  if (!isBankName(holder))
    return {
      field: 'holder',
      text: 'Enter the account holder in Latin, Greek or Cyrillic letters only: banks accept no others.',
    }
  if (/^[A-Z]{2}[0-9]{2}/.test(number)) {
    if (!isIban(number) || remainder(number) !== 1n)
      return { field: 'number', text: 'The IBAN is wrong: its check digits do not fit.' }
  } else if (!/^[A-Z0-9]{1,34}$/.test(number))
    return { field: 'number', text: 'Enter an IBAN, or an account number of up to 34 letters and digits.' }
  if (bic !== null && !/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic))
    return { field: 'bic', text: 'Enter a BIC of 8 or 11 characters, such as DEUTDEFF.' }
  return null
}

/** Letters count as 10 to 35. */
const remainder = (iban: string): bigint =>
  BigInt(Array.from(iban.slice(4) + iban.slice(0, 4), (character) => Number.parseInt(character, 36)).join('')) % 97n
