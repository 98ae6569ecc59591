/**
 * Tables that no backup may contain: verification codes of hosted fields, which may not be stored after the charge. They are also unlogged,
 * so that the write-ahead log, replicas and base backups never contain them. A dump must exclude each with `--exclude-table-data`, because
 * pg_dump includes unlogged tables.
 */
export const neverBackedUp: readonly string[] = ['session_codes']
