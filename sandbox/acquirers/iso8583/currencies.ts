/** The currencies that the company settles, by their ISO numbers. */
const table =
  '978 EUR 840 USD 826 GBP 756 CHF 392 JPY 410 KRW 152 CLP 352 ISK 348 HUF 203 CZK 985 PLN 752 SEK 578 NOK 208 DKK 414 KWD 048 BHD ' +
  '788 TND 036 AUD 124 CAD 986 BRL 484 MXN 710 ZAR 356 INR 949 TRY 784 AED 566 NGN 800 UGX 980 UAH 946 RON 975 BGN'

const codes = new Map([...table.matchAll(/([0-9]{3}) ([A-Z]{3})/g)].map(([, number, code]) => [number, code]))

/** Undefined if it does not settle the currency. */
export const currencyOf = (number: string): string | undefined => codes.get(number)
