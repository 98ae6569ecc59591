/** `addressKey` of the domain as an expression of the database, for addresses that are in its rows. */
export const addressKeyOf = (column: string): string =>
  String.raw`regexp_replace(${column}, '^([A-Za-z]+:)[/\\]*([^/\\?#]*@)?([^?#]*).*$', '\1//\3')`
