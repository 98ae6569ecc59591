/** Something sealed does not open. The message names scope and purpose at most, never anything of the value or a key. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
}
