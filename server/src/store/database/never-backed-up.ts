/**
 * Tables whose rows must be in no backup: the verification codes of hosted fields, which nobody may keep after the charge. They are
 * unlogged as well, so that the write-ahead log, replicas and base backups never hold them; a dump has to leave them out itself, by
 * `--exclude-table-data` for each, because pg_dump writes unlogged tables too.
 */
export const neverBackedUp: readonly string[] = ['session_codes']
