/** The merchants of a sandbox instance that are used for the flows of the matrix. */
import type { Digest } from '#domain/signature/signature.ts'
import type { ProcessContext } from '#server/assembly/process-context.ts'
import type { LoadedConfiguration } from '#server/store/configuration/configuration.ts'
import { refusedTokenStore } from '#server/store/wallets/refused-tokens.ts'
import { CommandError } from '../kit/command-error.ts'
import { requireMerchant } from '../kit/named.ts'
import { findSandboxUrl } from '../kit/sandbox.ts'
import { openSecrets, readConfiguration } from '../signing/merchant-keys.ts'
import type { MatrixScene, Payee } from './matrix-run.ts'

export async function requireSandboxUrl({ config }: ProcessContext): Promise<string> {
  const url = await findSandboxUrl(config)
  if (url !== null) return url
  throw new CommandError('The sandbox of this instance was not found.', 'Start the service first: "npm start".')
}

/** Names of the merchants. */
export interface MatrixNames {
  readonly card: string
  readonly rsa: string
  readonly virtual: string
  readonly withoutWallet: string
}

const demoNames: MatrixNames = {
  card: 'demo',
  rsa: 'demo-wallet-rsa',
  virtual: 'demo-wallet-virtual',
  withoutWallet: 'demo-no-wallet',
}

/** The merchants whose alerts a run may raise. */
export const listMatrixMerchantIds = ({ pool }: Pick<ProcessContext, 'pool'>): Promise<readonly string[]> =>
  Promise.all(Object.values(demoNames).map(async (name) => (await requireMerchant(pool, name)).id))

/** Requires all of them to exist, including the merchant with the RSA key. */
export async function openMatrixScene(
  instance: ProcessContext,
  url: string,
  names: MatrixNames = demoNames,
): Promise<MatrixScene> {
  const configuration = await readConfiguration(instance)
  const openPayee = (name: string): Promise<Payee> => requirePayee(instance, configuration, name)
  return {
    url,
    payees: {
      card: await openPayee(names.card),
      rsa: await openPayee(names.rsa),
      virtual: await openPayee(names.virtual),
      withoutWallet: await openPayee(names.withoutWallet),
    },
    runId: instance.ids.next(),
    readRefusal: async (orderId) => {
      const [found] = await refusedTokenStore(instance.pool, instance.ids).find({ orderId, limit: 1 })
      return found?.record.checks.find(({ result }) => result === 'failed')?.id ?? null
    },
  }
}

async function requirePayee(
  instance: ProcessContext,
  configuration: LoadedConfiguration,
  name: string,
): Promise<Payee> {
  const { id, key, testKey } = await requireMerchant(instance.pool, name)
  const { passwords } = await openSecrets(configuration, instance.clock, id)
  const digest: Digest = configuration.mapping(id, 'S2S_CARD')?.digest ?? 'md5'
  return { key, testKey, password: passwords[0] ?? '', digest }
}
