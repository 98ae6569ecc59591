/** Files whose faults cost money or secrets, and the tests that must notice them, the fastest first. */
export interface Target {
  readonly file: string
  /** Groups of test files; the next group runs if the one before noticed nothing. */
  readonly tests: readonly (readonly string[])[]
}

const domainPayment = ['domain/src/payment/*.test.ts']
const vault = ['server/src/vault/*.test.ts']
/** Without the test that flips every bit: it takes as long as a hundred mutants, and what only it notices deserves its own test. */
const formats = (wallet: 'a' | 'b') => [
  [
    `server/src/wallets/tokens/formats/wallet-${wallet}.test.ts`,
    'server/src/wallets/tokens/formats/checks-record.test.ts',
    `server/src/wallets/tokens/formats/wallet-${wallet}-*.test.ts`,
    'server/src/wallets/tokens/formats/members.test.ts',
  ],
]
const flows = (...names: readonly string[]) => names.map((name) => `server/test/flows/${name}.test.ts`)

export const targets: readonly Target[] = [
  {
    file: 'domain/src/signature/signature.ts',
    tests: [['domain/src/signature/signature*.test.ts'], flows('card/hash', 'card/hash-whole')],
  },
  { file: 'domain/src/payment/rules.ts', tests: [domainPayment] },
  { file: 'domain/src/payment/decide.ts', tests: [domainPayment] },
  { file: 'domain/src/money/ledger.ts', tests: [['domain/src/money/ledger.test.ts', ...domainPayment]] },
  { file: 'server/src/panel/access/permissions.ts', tests: [['server/src/panel/access/permissions.test.ts']] },
  ...['envelope', 'fingerprints', 'key-chain', 'key-chains', 'key-file', 'key-ring', 'rotate', 'vault'].map((name) => ({
    file: `server/src/vault/${name}.ts`,
    tests: [vault],
  })),
  ...(['a', 'a-chain', 'a-cipher', 'a-plaintext', 'a-signature', 'a-structure'] as const).map((name) => ({
    file: `server/src/wallets/tokens/formats/wallet-${name}.ts`,
    tests: formats('a'),
  })),
  ...(['b', 'b-cipher', 'b-plaintext', 'b-signature', 'b-structure'] as const).map((name) => ({
    file: `server/src/wallets/tokens/formats/wallet-${name}.ts`,
    tests: formats('b'),
  })),
  {
    file: 'server/src/connectors/send.ts',
    tests: [['server/src/connectors/send.test.ts', 'server/src/connectors/wire.test.ts']],
  },
  { file: 'server/src/payments/outcome/perform.ts', tests: [['server/src/payments/outcome/perform*.test.ts']] },
  { file: 'server/src/payments/outcome/outcome-record.ts', tests: [['server/src/payments/outcome/perform*.test.ts']] },
  ...['outcomes', 'outcome-columns', 'outcome-consequences', 'outcome-groups', 'outcome-text'].map((name) => ({
    file: `server/src/store/payments/outcomes/${name}.ts`,
    tests: [
      [
        'server/src/store/payments/outcomes/*.test.ts',
        'server/src/store/payments/write-groups.test.ts',
        'server/src/store/payments/limits/limit-uses.test.ts',
      ],
    ],
  })),
  {
    file: 'server/src/due/callbacks/callbacks.ts',
    tests: [['server/src/due/callbacks/callback*.test.ts'], flows('certainty/callbacks')],
  },
  {
    file: 'server/src/due/callbacks/callback-client.ts',
    tests: [['server/src/due/callbacks/callback-client.test.ts']],
  },
]
