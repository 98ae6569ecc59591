/** Adyen's refusal reasons, by number and name, as classes of declines. */
import type { DeclineClass } from '#domain/payment/payment.ts'

// biome-ignore format: a table is read in columns.
export const refusals: readonly (readonly [code: string, name: string, declineClass: DeclineClass])[] = [
  // code  refusalReason                                             class
  [ '2',   'Refused',                                                'soft' ],
  [ '3',   'Referral',                                               'soft' ],
  [ '4',   'Acquirer Error',                                         'technical' ],
  [ '5',   'Blocked Card',                                           'hard' ],
  [ '6',   'Expired Card',                                           'hard' ],
  [ '7',   'Invalid Amount',                                         'hard' ],
  [ '8',   'Invalid Card Number',                                    'hard' ],
  [ '9',   'Issuer Unavailable',                                     'technical' ],
  [ '10',  'Not supported',                                          'soft' ],
  [ '11',  '3D Not Authenticated',                                   'hard' ],
  [ '12',  'Not enough balance',                                     'soft' ],
  [ '14',  'Acquirer Fraud',                                         'fraud' ],
  [ '15',  'Cancelled',                                              'hard' ],
  [ '16',  'Shopper Cancelled',                                      'hard' ],
  [ '17',  'Invalid Pin',                                            'hard' ],
  [ '18',  'Pin tries exceeded',                                     'hard' ],
  [ '19',  'Pin validation not possible',                            'soft' ],
  [ '20',  'FRAUD',                                                  'fraud' ],
  [ '21',  'Not Submitted',                                          'technical' ],
  [ '22',  'FRAUD-CANCELLED',                                        'fraud' ],
  [ '23',  'Transaction Not Permitted',                              'soft' ],
  [ '24',  'CVC Declined',                                           'hard' ],
  [ '25',  'Restricted Card',                                        'hard' ],
  [ '26',  'Revocation Of Auth',                                     'hard' ],
  [ '27',  'Declined Non Generic',                                   'soft' ],
  [ '28',  'Withdrawal amount exceeded',                             'soft' ],
  [ '29',  'Withdrawal count exceeded',                              'soft' ],
  [ '31',  'Issuer Suspected Fraud',                                 'fraud' ],
  [ '32',  'AVS Declined',                                           'hard' ],
  [ '33',  'Card requires online pin',                               'soft' ],
  [ '34',  'No checking account available on Card',                  'hard' ],
  [ '35',  'No savings account available on Card',                   'hard' ],
  [ '36',  'Mobile pin required',                                    'soft' ],
  [ '37',  'Contactless fallback',                                   'soft' ],
  [ '38',  'Authentication required',                                'authentication_required' ],
  // The payer let the time of the authentication pass.
  [ '39',  'RReq not received from DS',                              'hard' ],
  [ '40',  'Current AID is in Penalty Box',                          'soft' ],
  [ '41',  'CVM Required Restart Payment',                           'soft' ],
  [ '42',  '3DS Authentication Error',                               'hard' ],
  [ '43',  'Online PIN required',                                    'soft' ],
  [ '44',  'Try another interface',                                  'soft' ],
  [ '45',  'Chip downgrade mode',                                    'soft' ],
  [ '46',  'Transaction blocked by Adyen to prevent excessive retry fees', 'hard' ],
]

const byCode = new Map(refusals.map(([code, , declineClass]) => [code, declineClass]))
const byName = new Map(refusals.map(([, name, declineClass]) => [name.toLowerCase(), declineClass]))

export const classOfCode = (code: string | undefined): DeclineClass => byCode.get(code ?? '') ?? 'unknown'

/** Notifications say the reason in words only. */
export const classOfName = (name: string): DeclineClass => byName.get(name.toLowerCase()) ?? 'unknown'
