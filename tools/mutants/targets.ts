/** Files whose faults cost money or secrets, and the tests that have to notice them: the quick ones first. */
export interface Target {
  readonly file: string
  /** Groups of test files; the next group is run when the one before noticed nothing. */
  readonly tests: readonly (readonly string[])[]
}

const domainPayment = ['domain/src/payment/*.test.ts']
const vault = ['server/src/vault/*.test.ts']
const formats = ['server/src/wallets/formats/*.test.ts']
const money = [
  'sale',
  'capture',
  'creditvoid',
  'void',
  'reconcile',
  'late-success',
  'overtaken',
  'chargeback',
  'cascade-money',
].map((name) => `server/test/flows/${name}.test.ts`)

export const targets: readonly Target[] = [
  { file: 'domain/src/signature.ts', tests: [['domain/src/signature*.test.ts'], ['server/test/flows/hash.test.ts']] },
  { file: 'domain/src/payment/rules.ts', tests: [domainPayment] },
  { file: 'domain/src/payment/decide.ts', tests: [domainPayment] },
  { file: 'domain/src/ledger.ts', tests: [['domain/src/ledger.test.ts', ...domainPayment]] },
  {
    file: 'server/src/admin/permissions.ts',
    tests: [['server/src/admin/permissions.test.ts'], ['server/src/protocols/admin/matrix.test.ts']],
  },
  ...['envelope', 'fingerprints', 'key-chain', 'key-chains', 'key-file', 'key-ring', 'rotate', 'vault'].map((name) => ({
    file: `server/src/vault/${name}.ts`,
    tests: [vault],
  })),
  ...[
    'a',
    'a-chain',
    'a-cipher',
    'a-plaintext',
    'a-signature',
    'a-structure',
    'b',
    'b-cipher',
    'b-plaintext',
    'b-signature',
    'b-structure',
  ].map((name) => ({ file: `server/src/wallets/formats/wallet-${name}.ts`, tests: [formats] })),
  {
    file: 'server/src/connectors/send.ts',
    tests: [['server/src/connectors/send.test.ts', 'server/src/connectors/wire.test.ts']],
  },
  { file: 'server/src/operations/perform.ts', tests: [money] },
  { file: 'server/src/store/settlements.ts', tests: [['server/src/store/*.test.ts'], money] },
  {
    file: 'server/src/due/callbacks.ts',
    tests: [['server/src/due/callback*.test.ts'], ['server/test/flows/callbacks.test.ts']],
  },
  { file: 'server/src/due/callback-client.ts', tests: [['server/src/due/callback*.test.ts']] },
]
