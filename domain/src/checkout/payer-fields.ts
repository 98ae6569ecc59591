/**
 * What the hosted page can ask a card payer for besides the card and its holder's name, by the names of the S2S protocols. A phone number is
 * always asked together with its country code. Chapter 30 §7.3.
 */
export const pagePayerFields = [
  'payer_email',
  'payer_birth_date',
  'payer_address',
  'payer_house_number',
  'payer_district',
  'payer_city',
  'payer_zip',
  'payer_country',
  'payer_state',
  'payer_phone',
] as const

export type PagePayerField = (typeof pagePayerFields)[number]
