/** The domain's `addressKey` as an SQL expression, for addresses in database rows. */
export const addressKeyOf = (column: string): string =>
  String.raw`regexp_replace(${column}, '^([A-Za-z]+:)[/\\]*([^/\\?#]*@)?([^?#]*).*$', '\1//\3')`
