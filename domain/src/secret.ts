/**
 * A value that must not be printed: a password, a card number, a signing key.
 *
 * It prints as `***` wherever a value is turned into text by accident: a log line, a JSON body, a template string, an
 * error message, a debugger. The only way to the value is `reveal()`, so a search for that word finds every place where a
 * secret leaves its wrapping.
 *
 * Two secrets are never equal by comparison; code that must compare them reveals both.
 */
export class Secret<T> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  reveal(): T {
    return this.#value
  }

  toString(): string {
    return mask
  }

  toJSON(): string {
    return mask
  }

  // The registered symbol rather than the one of node:util, because this module also runs in a browser.
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return mask
  }
}

export function secret<T>(value: T): Secret<T> {
  return new Secret(value)
}

const mask = '***'
