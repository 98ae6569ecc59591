/** The context in which a parameter is validated. */
import type { Brand } from '#domain/brand/brand.ts'
import { violations } from '#domain/errors.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Mode } from '#domain/merchant.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import type { ValueTree } from '../bodies/value-tree.ts'

/** How a wire reports nested values and values of the wrong type. */
export interface ParameterFormat {
  readonly nest: (path: string, name: string) => string
  readonly wrongType: typeof violations.wrongType
}

/** Forms contain only text: a value that is not text is reported like a wrong format. Chapter 10 §10.2. */
export const formFormat: ParameterFormat = {
  nest: (path, name) => `${path}[${name}]`,
  wrongType: () => violations.notValid,
}

/** Chapter 30 §1.4. */
export const jsonFormat: ParameterFormat = {
  nest: (path, name) => `${path}.${name}`,
  wrongType: violations.wrongType,
}

/** Available for every request. */
export interface BaseReading {
  /** The whole request. */
  readonly tree: ValueTree
  readonly format: ParameterFormat
}

export interface DatedReading extends BaseReading {
  /** The merchant's calendar day. */
  readonly today: string
}

/** A request of a merchant's server. */
export interface ReadingContext extends DatedReading {
  readonly mapping: ProtocolMapping
  readonly mode: Mode
  readonly sandbox: boolean
  /** The channels of the merchant's mappings; null is a mapping without one. */
  readonly channels: readonly (string | null)[]
  /** The brand of the catalogue with this code or alias, switched on or not. */
  readonly brand: (name: string) => Brand | null
  /** Whether wallet tokens must have their shape. They need not while a refused request is read again, to record why it was refused. */
  readonly checksTokens: boolean
  /** The operator's table of crypto currencies. */
  readonly crypto: Exponents
}
