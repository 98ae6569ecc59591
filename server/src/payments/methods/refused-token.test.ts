import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WalletAccount } from '../../wallets/tokens/account.ts'
import { openWalletA } from '../../wallets/tokens/formats/wallet-a.ts'
import { termsA } from '../../wallets/tokens/testing/terms.ts'
import { mint } from '../../wallets/tokens/testing/wallet-a.ts'
import type { Deps } from '../request/deps.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'
import { type RefusedToken, refuseToken } from './refused-token.ts'

const request = {
  merchant: { id: 'merchant-1' },
  mode: 'live',
  protocol: 'S2S_CARD',
  order: { id: 'ORDER-1' },
  requestId: 'request-1',
} as FirstStepRequest

const opened = openWalletA(JSON.stringify(mint()), { ...termsA, now: new Date('2031-01-01T00:00:00Z') })
const refused: RefusedToken = {
  param: 'payment_token',
  account: {} as WalletAccount,
  record: opened.record,
  refusal: 'expired-or-altered',
  fromSandbox: true,
}

async function eventsOf(sandbox: boolean, of: RefusedToken): Promise<readonly string[]> {
  const events: string[] = []
  const deps = {
    sandbox,
    clock: { now: () => new Date('2031-01-01T00:00:00Z') },
    wallets: {
      recordUnmatched: async () => void events.push('unmatched'),
      recordSandboxToken: async (_account: WalletAccount, orderId: string) =>
        void events.push(`sandbox token, ${orderId}`),
    },
    refusedTokens: { add: async ({ requestId }: { requestId: string }) => void events.push(`written ${requestId}`) },
  } as unknown as Deps
  const error = await refuseToken(deps, request, of)
  return [...events, `${error.refusal.code}`]
}

test('a sandbox token on a live instance is refused like any other and raises the alert', async () => {
  assert.deepEqual(await eventsOf(false, refused), ['written request-1', 'sandbox token, ORDER-1', '250003'])
})

test('on a sandbox instance, and for other tokens, there is no alert', async () => {
  assert.deepEqual(await eventsOf(true, refused), ['written request-1', '250003'])
  assert.deepEqual(await eventsOf(false, { ...refused, fromSandbox: false }), ['written request-1', '250003'])
})

test('only a token that is genuine up to its key counts as one without a key', async () => {
  const failing = (id: string) => ({
    ...refused,
    fromSandbox: false,
    record: {
      ...opened.record,
      checks: opened.record.checks.map((row) => ({
        ...row,
        result: row.id === id ? ('failed' as const) : ('passed' as const),
      })),
    },
  })
  assert.deepEqual(await eventsOf(false, failing('A13')), ['written request-1', 'unmatched', '250003'])
  assert.deepEqual(await eventsOf(false, failing('A14')), ['written request-1', '250003'])
})

test('each kind of refusal is answered with its own code', async () => {
  const codes = await Promise.all(
    (['malformed', 'expired-or-altered', 'mismatch'] as const).map(async (refusal) =>
      (await eventsOf(true, { ...refused, refusal })).at(-1),
    ),
  )
  assert.deepEqual(codes, ['100000', '250003', '250004'])
})
