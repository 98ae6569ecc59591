/**
 * The table of faults: Chapter 40 §19.2, row by row and in its order. `faults-a.ts` and `faults-b.ts` make them; this table says what a
 * gateway must answer, and what a test must do besides sending the token once.
 */
export type Version = 'EC_v1' | 'RSA_v1' | 'ECv1' | 'ECv2'
export type Wallet = 'walletapay' | 'walletbpay'

/** `passes`: cannot be detected without the key, and goes to the provider. */
type Answer = 100000 | 250003 | 250004 | 'passes'

export interface FaultRow {
  readonly number: number
  readonly fault: string
  readonly versions: readonly Version[]
  readonly mutation: string
  /** By version, because the check may differ. */
  readonly checks: Readonly<Partial<Record<Version, string>>>
  readonly card: Answer
  readonly virtual: Answer
  readonly run: Run
}

type Run = keyof typeof runs

/** What has to happen besides sending the token. */
// biome-ignore format: a table is read in columns.
export const runs = {
  'once':            'Send the token.',
  'twice':           'Send the token, wait until the payment ends, and send it again: the second answer counts.',
  'second merchant': 'Send the token for another merchant or on another protocol first: the second answer counts.',
  'parallel':        'Send the token 20 times at once: one payment, 19 refusals.',
  'before':          'Send the tokens in `before` first, then the token.',
  'deny serial':     'Add `facts.leaf_serial` to WALLET_DENIED_SERIALS, then send the token.',
  'checkout':        'Send the token from the page of a Checkout session; elsewhere it passes.',
  'no pan only':     'Remove PAN_ONLY from Allowed Auth Method and send the token from the page of a Checkout session.',
  'expired roots':   'Make the instance load the key list of `GET /wallet/authority?roots=expired`, then send the token.',
  'live instance':   'Send the token to a live instance.',
} as const

const A = ['EC_v1', 'RSA_v1'] as const
const B = ['ECv2', 'ECv1'] as const
const EC = ['EC_v1'] as const
const RSA = ['RSA_v1'] as const
const all = [...A, ...B] as const

/** `check` names one check per wallet, or one per version of wallet B, the newer first: `A6 B3 B5`. */
const row = (
  number: number,
  fault: string,
  versions: readonly Version[],
  mutation: string,
  check: string,
  card: Answer,
  virtual: Answer | '=' = '=',
  run: Run = 'once',
): FaultRow => ({
  number,
  fault,
  versions,
  mutation,
  checks: Object.fromEntries(versions.map((version) => [version, checkOf(check.split(' '), version)])),
  card,
  virtual: virtual === '=' ? card : virtual,
  run,
})

// biome-ignore format: a table is read in columns.
export const faultRows: readonly FaultRow[] = [
  //    #   fault                       of   mutation                                                   check       card    virtual   run
  row(  1, 'not-json',                  A,   'text cut in the middle',                                  'A1',       100000),
  row(  2, 'not-object',                A,   'JSON array',                                              'A1',       100000),
  row(  3, 'no-payment-data',           A,   'paymentData missing',                                     'A1',       100000),
  row(  4, 'no-transaction-id',         A,   'header.transactionId missing',                            'A1',       100000),
  row(  5, 'type',                      A,   'version is a number',                                     'A1',       100000),
  row(  6, 'version',                   A,   'label EC_v9',                                             'A2',       250003),
  row(  7, 'relabel',                   A,   'labelled with the other version',                         'A2',       250003),
  row(  8, 'duplicate-name',            A,   'data twice',                                              'A1',       100000),
  row(  9, 'too-big',                   A,   '33 KiB',                                                  'A1',       100000),
  row( 10, 'other-wallet',              all, 'a token of the other wallet',                             'A1 B1',    100000),
  row( 11, 'base64',                    A,   'URL-safe alphabet in data',                               'A2',       250003),
  row( 12, 'off-curve',                 EC,  'bit flipped in the ephemeral point',                      'A2',       250003),
  row( 13, 'short-data',                A,   'data of 16 bytes',                                        'A2',       250003),
  row( 14, 'outer-id',                  A,   'transactionIdentifier of another token',                  'A3',       250003),
  row( 15, 'cms-truncated',             A,   'signature cut by one byte',                               'A4',       250003),
  row( 16, 'cms-trailing',              A,   'one byte appended to the signature',                      'A4',       250003),
  row( 17, 'cms-attached',              A,   'content included',                                        'A4',       250003),
  row( 18, 'two-signers',               A,   'second SignerInfo',                                       'A4',       250003),
  row( 19, 'sha1',                      A,   'SHA-1 digest',                                            'A4',       250003),
  row( 20, 'leaf-oid',                  A,   'leaf without its mark',                                   'A5',       250003),
  row( 21, 'intermediate-oid',          A,   'intermediate without its mark',                           'A5',       250003),
  row( 22, 'two-leaves',                A,   'two certificates with the leaf mark',                     'A5',       250003),
  row( 23, 'extra-certificate',         A,   'unrelated certificate added',                             'A5',       250003),
  row( 24, 'other-root-inside',         A,   'a root added that differs from the trusted one',          'A5',       250003),
  row( 25, 'foreign-root',              A,   'whole chain under another root',                          'A6',       250003),
  row( 26, 'swapped-intermediate',      A,   'intermediate of equal name, other key',                   'A6',       250003),
  row( 27, 'intermediate-not-ca',       A,   'CA flag missing',                                         'A6',       250003),
  row( 28, 'leaf-expired',              A,   'leaf expired at the signing time',                        'A6',       250003),
  row( 29, 'leaf-future',               A,   'leaf not yet valid',                                      'A6',       250003),
  row( 30, 'denied-serial',             A,   'leaf serial in the deny list',                            'A6',       250003, '=',      'deny serial'),
  row( 31, 'signer-intermediate',       A,   'signed by the intermediate',                              'A7',       250003),
  row( 32, 'rsa-in-ec',                 EC,  'signed with RSA',                                         'A7',       250003),
  row( 33, 'no-attributes',             A,   'no signed attributes',                                    'A8',       250003),
  row( 34, 'no-signing-time',           A,   'signing time missing',                                    'A8',       250003),
  row( 35, 'two-signing-times',         A,   'signing time twice',                                      'A8',       250003),
  row( 36, 'data-flip',                 A,   'one bit of the ciphertext',                               'A9',       250003),
  row( 37, 'tag-flip',                  A,   'one bit of the GCM tag',                                  'A9',       250003),
  row( 38, 'ephemeral-swap',            EC,  'another valid ephemeral key',                             'A9',       250003),
  row( 39, 'transaction-id-flip',       A,   'one bit, in header and outer copy',                       'A9',       250003),
  row( 40, 'application-data-added',    A,   'applicationData not in the signed bytes',                 'A9',       250003),
  row( 41, 'application-data-removed',  A,   'signed applicationData left out',                         'A9',       250003),
  row( 42, 'signature-flip',            A,   'one bit of the signature value',                          'A10',      250003),
  row( 43, 'signature-other',           A,   'signature of another valid token',                        'A9',       250003),
  row( 44, 'stale',                     A,   'signed 301 s ago',                                        'A11',      250003),
  row( 45, 'future',                    A,   'signed 301 s ahead',                                      'A11',      250003),
  row( 46, 'replayed',                  A,   'token of a finished payment',                             'A12',      250003, '=',      'twice'),
  row( 47, 'replayed-merchant',         A,   'token used before by another merchant or protocol',       'A12',      250003, '=',      'second merchant'),
  row( 48, 'parallel',                  A,   '20 requests at once with one token',                      'A12',      250003, '=',      'parallel'),
  row( 49, 'key-hash-flip',             A,   'publicKeyHash altered',                                   'A13',      250003, 'passes'),
  row( 50, 'wrong-key',                 A,   'encrypted to a key not configured',                       'A13',      250003, 'passes'),
  row( 51, 'retired-key',               A,   'encrypted to a retired key',                              'A13',      250003, 'passes'),
  row( 52, 'wrong-merchant',            EC,  'derived with another Merchant Identifier',                'A14',      250003, 'passes'),
  row( 53, 'iv-12',                     A,   'encrypted with a 12-byte IV',                             'A14',      250003, 'passes'),
  row( 54, 'wrapped-key-other',         RSA, 'wrapped for another key under our hash',                  'A14',      250003, 'passes'),
  row( 55, 'wrapped-key-32',            RSA, '32-byte key inside',                                      'A14',      250003, 'passes'),
  row( 56, 'plain-not-json',            A,   'plaintext is not JSON',                                   'A15',      250003, 'passes'),
  row( 57, 'plain-no-number',           A,   'number missing',                                          'A15',      250003, 'passes'),
  row( 58, 'plain-check-digit',         A,   'number fails the check digit',                            'A15',      250003, 'passes'),
  row( 59, 'binding',                   A,   'applicationData of another session',                      'A16',      250003, '=',      'checkout'),
  row( 60, 'wrong-currency',            A,   'other currency',                                          'A17',      250004, 'passes'),
  row( 61, 'wrong-amount',              A,   'one minor unit more',                                     'A18',      250004, 'passes'),
  row( 62, 'amount-major',              A,   'amount in major units',                                   'A18',      250004, 'passes'),
  row( 63, 'b-extra-member',            B,   'one member more',                                         'B1',       100000),
  row( 64, 'b-no-intermediate',   ['ECv2'],  'intermediateSigningKey missing',                          'B1',       100000),
  row( 65, 'b-signing-only',            B,   'label ECv2SigningOnly',                                   'B1',       100000),
  row( 66, 'b-root-expired',            B,   'only expired root keys',                                  'B2',       250003, '=',      'expired roots'),
  row( 67, 'b-environment',             B,   'signed under the other environment’s root',               'B3 B5',    250003),
  row( 68, 'b-signed-key-changed',['ECv2'],  'one character of signedKey',                              'B3',       250003),
  row( 69, 'b-no-signatures',     ['ECv2'],  'empty signatures',                                        'B3',       250003),
  row( 70, 'b-intermediate-expired',['ECv2'],'keyExpiration past',                                      'B4',       250003),
  row( 71, 'b-message-changed',         B,   'one space added in signedMessage',                        'B5',       250003),
  row( 72, 'b-recipient',               B,   'signed for another recipient',                            'B5',       250003),
  row( 73, 'b-sender',                  B,   'signed with another sender',                              'B5',       250003),
  row( 74, 'b-replayed',                B,   'same token again',                                        'B7',       250003, '=',      'twice'),
  row( 75, 'b-wrong-key',               B,   'encrypted to a key not configured',                       'B8',       250003, 'passes'),
  row( 75, 'b-tag-flip',                B,   'signed message with a false tag',                         'B8',       250003, 'passes'),
  row( 76, 'b-plain-not-json',          B,   'plaintext is not JSON',                                   'B9',       250003, 'passes'),
  row( 77, 'b-expired',                 B,   'messageExpiration past',                                  'B10',      250003, 'passes'),
  row( 78, 'b-merchant',                B,   'gatewayMerchantId of another merchant',                   'B11',      250003, 'passes'),
  row( 79, 'b-message-id',              B,   'new token with a used messageId',                         'B12',      250003, 'passes', 'before'),
  row( 80, 'b-auth-method',             B,   'PAN_ONLY although not allowed',                           'B13',      250003, 'passes', 'no pan only'),
  row( 81, 'sandbox-on-live',           all, 'valid sandbox token on a live instance',                  'A6 B3 B5', 250003, '=',      'live instance'),
]

/** Other names for the same fault (Chapter 40 §20.3). */
const aliases: ReadonlyMap<string, string> = new Map([['tampered', 'data-flip']])

export function faultNamed(name: string): FaultRow | undefined {
  const fault = aliases.get(name) ?? name
  return faultRows.find((row) => row.fault === fault)
}

interface Expectation {
  readonly http: number
  readonly error_code: number | null
  readonly error_message: string | null
  readonly check: string | null
}

/** The answers of a gateway in both flows; without a fault the token is accepted. */
export function expectations(
  row: FaultRow | null,
  version: Version,
): { readonly card: Expectation; readonly virtual: Expectation } {
  const check = row?.checks[version] ?? null
  return { card: expectation(row?.card ?? 'passes', check), virtual: expectation(row?.virtual ?? 'passes', check) }
}

function expectation(answer: Answer, check: string | null): Expectation {
  if (answer === 'passes') return { http: 200, error_code: null, error_message: null, check: null }
  return { http: 400, error_code: answer, error_message: messages[answer], check }
}

// biome-ignore format: a table is read in columns.
const messages = {
  100000: 'payment_token: This value is not valid.',
  250003: 'The payment token signature has expired',
  250004: 'Payment token does not match the order.',
} as const

function checkOf(checks: readonly string[], version: Version): string {
  const walletB = version === 'ECv1' || version === 'ECv2'
  const [newer = '', older = newer] = checks.filter((check) => check.startsWith(walletB ? 'B' : 'A'))
  return version === 'ECv1' ? older : newer
}
