/** Chapter 40 §6, "root watch": the provider's list is fetched again when a token of wallet B was signed by none of its keys. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secret } from '#domain/secret.ts'
import type { WalletBAccount } from '../../wallets/tokens/account.ts'
import { labelledKey } from '../../wallets/tokens/testing/keys.ts'
import { cardFlowB, termsB } from '../../wallets/tokens/testing/terms.ts'
import { keyList, mint, now, type TokenPlan } from '../../wallets/tokens/testing/wallet-b.ts'
import { loadWalletBTrust } from '../../wallets/tokens/trust.ts'
import type { Deps } from '../request/deps.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'
import type { PaymentMethod } from '../request/payment-method.ts'
import { openToken } from './wallet-token.ts'

const newRoot = labelledKey('a root of today')
const json = keyList(newRoot)
const trust = {
  instanceMode: 'live',
  source: 'wallet maker',
  environment: 'PRODUCTION',
  shippedFingerprints: new Set<string>(),
} as const
const account: WalletBAccount = {
  wallet: 'walletbpay',
  merchantId: 'm',
  mode: 'live',
  usable: true,
  sandbox: false,
  keys: cardFlowB.keys,
  trust: termsB.trust,
  recipients: termsB.recipients,
  authMethods: [],
}
const fresh: WalletBAccount = { ...account, trust: loadWalletBTrust({ ...trust, json }) }
const request = { merchant: { id: 'm' }, mode: 'live', order: { id: 'o' }, protocol: 'S2S_APM' } as FirstStepRequest

async function openWith(plan: Partial<TokenPlan>, listed: WalletBAccount | null) {
  let requests = 0
  const deps = {
    clock: { now: () => now },
    payments: { listUsedBefore: async () => [] },
    wallets: {
      recordOpened: async () => {},
      recordUnknownRoot: async () => {
        requests += 1
        return listed
      },
    },
    refusedTokens: { add: async () => {} },
  } as unknown as Deps
  const paymentMethod = {
    kind: 'wallet',
    token: secret(JSON.stringify(mint(plan))),
    bindingValue: null,
  } as unknown as PaymentMethod
  const flow = { flow: 'decrypted', reason: '' } as const
  const result = await openToken(deps, request, {
    paymentMethod: paymentMethod as Extract<PaymentMethod, { kind: 'wallet' }>,
    account,
    flow,
  }).then(
    () => 'taken',
    ({ refusal }) => String(refusal.code),
  )
  return { result, requests }
}

for (const version of ['ECv1', 'ECv2'] as const) {
  test(`${version}: a token signed under a root of today is taken once the list has it, and refused while it has not`, async () => {
    assert.deepEqual(await openWith({ version, rootKey: newRoot }, fresh), { result: 'taken', requests: 1 })
    assert.deepEqual(await openWith({ version, rootKey: newRoot }, null), { result: '250003', requests: 1 })
  })

  test(`${version}: the key list is not fetched for a token of a known root, nor for one with another fault`, async () => {
    assert.deepEqual(await openWith({ version }, fresh), { result: 'taken', requests: 0 })
    const wrongKey = { version, recipientKey: labelledKey('somebody else') }
    assert.deepEqual(await openWith(wrongKey, fresh), { result: '250003', requests: 0 })
  })
}
