/** A sealed value does not open. The message names at most scope and purpose, never any part of the value or a key. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
}
