/** The card networks' own names. */
import type { CardNetwork } from './card.ts'

export const networkName = (network: string): string => names[network] ?? network

const names: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'Amex',
  discover: 'Discover',
  jcb: 'JCB',
  dinersclub: 'Diners Club',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
  mir: 'Mir',
  rupay: 'RuPay',
  elo: 'Elo',
  hipercard: 'Hipercard',
  verve: 'Verve',
  troy: 'Troy',
  uzcard: 'Uzcard',
  humo: 'Humo',
} satisfies Record<CardNetwork, string>
