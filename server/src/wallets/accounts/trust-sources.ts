/** The sources of trust anchors: configured files, lists at an address, and the sandbox authority. Chapter 40 §14. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { limits } from '#domain/limits.ts'
import type { WalletConfig } from '../../process/config.ts'
import { fileFault } from '../../process/file-fault.ts'
import { StartupError } from '../../process/startup-error.ts'
import { loadWalletATrust, loadWalletBTrust, TrustError, type WalletBEnvironment } from '../tokens/trust.ts'

/** The current text; rejects if it cannot be fetched. */
export type FetchText = () => Promise<string>

/** The parts of a source: the root of wallet A, key lists of wallet B by environment, and the sandbox's session service. */
export type TrustName = 'root' | 'session' | WalletBEnvironment

/** A new sandbox authority first searches for its marked keys, which takes seconds. */
const authorityMs = 30_000

/** The pinned root file. A missing or different file stops the start. */
export function readProviderRoot(
  instanceMode: 'live' | 'sandbox',
  rootFile: WalletConfig['rootFile'],
): { readonly pem: string; readonly sha256: string } | null {
  if (rootFile === null) return null
  const pem = fileText(rootFile.path, 'WALLET_A_ROOT_FILE')
  try {
    loadWalletATrust({ instanceMode, source: 'wallet maker', pem, sha256: rootFile.sha256 })
  } catch (error) {
    if (!(error instanceof TrustError)) throw error
    throw new StartupError(
      `The root file ${rootFile.path} cannot be used: ${error.message}`,
      `Its SHA-256 is ${createHash('sha256').update(pem).digest('hex')}; compare the file and WALLET_A_ROOT_SHA256 with the values published by the wallet provider.`,
    )
  }
  return { pem, sha256: rootFile.sha256 }
}

/**
 * A key list by its setting. A file must be valid at the start; an address is fetched later, because a start must not depend on other
 * servers.
 */
export function providerKeySource(
  instanceMode: 'live' | 'sandbox',
  environment: WalletBEnvironment,
  source: string | null,
): FetchText | null {
  if (source === null) return null
  if (source.startsWith('https://')) return () => fetchText(source, limits.wallet.keyListWaitMs)
  const setting = environment === 'TEST' ? 'WALLET_B_TEST_KEYS' : 'WALLET_B_KEYS'
  const json = fileText(source, setting)
  try {
    loadWalletBTrust({ instanceMode, source: 'wallet maker', environment, json, shippedFingerprints: new Set() })
  } catch (error) {
    if (!(error instanceof TrustError)) throw error
    throw new StartupError(`The key list ${source} cannot be used: ${error.message}`, `Correct the file of ${setting}.`)
  }
  return () => readFile(source, 'utf8')
}

export const sandboxAuthority =
  (sandboxUrl: string): FetchText =>
  () =>
    fetchText(`${sandboxUrl}/wallet/authority`, authorityMs)

const keyList = z.object({ keys: z.array(z.unknown()) })
const authorityAnswer = z.object({
  root_pem: z.string(),
  wallet_b: z.object({ TEST: keyList, PRODUCTION: keyList }),
  session: z.object({ url: z.string(), ca_pem: z.string() }),
})

/** Splits the sandbox authority's answer into its parts. */
export function sandboxTexts(json: string): readonly (readonly [TrustName, string])[] {
  const { root_pem, wallet_b, session } = authorityAnswer.parse(JSON.parse(json))
  return [
    ['root', root_pem],
    ['PRODUCTION', JSON.stringify(wallet_b.PRODUCTION)],
    ['TEST', JSON.stringify(wallet_b.TEST)],
    ['session', `${session.url}\n${session.ca_pem}`],
  ]
}

async function fetchText(url: string, withinMs: number): Promise<string> {
  const reply = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(withinMs) })
  if (!reply.ok) throw new Error(`It answered ${reply.status}.`)
  const text = await reply.text()
  if (text.length > limits.wallet.keyListBytes) throw new Error('The answer is too long.')
  return text
}

function fileText(path: string, setting: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartupError(
      `The trust anchor file ${path} could not be read. ${fileFault(error)}`,
      `${setting} must be a file that this user can read.`,
    )
  }
}
