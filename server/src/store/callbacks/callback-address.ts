/** Addresses of callbacks in statements. */

/** Where a merchant wants its callbacks today, by the mode of the payment. */
export interface MerchantAddress {
  readonly live: string | null
  readonly test: string | null
}

/** The address of the callback `c` of the merchant `$1`; its own where the merchant has none for the mode of its payment. */
export const addressOfToday = (live: `$${number}`, test: `$${number}`): string =>
  `coalesce(case when (select p.test from payments p where p.merchant_id = $1 and p.id = c.payment_id)
     then ${test}::text else ${live}::text end, c.url)`

/** The domain's `addressKey` as an SQL expression, for addresses in database rows. */
export const addressKeyOf = (column: string): string =>
  String.raw`regexp_replace(${column}, '^([A-Za-z]+:)[/\\]*([^/\\?#]*@)?([^?#]*).*$', '\1//\3')`
