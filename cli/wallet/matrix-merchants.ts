/** The merchants of a sandbox instance that stand for the flows of the matrix. */
import type { Digest } from '#domain/signature.ts'
import { furnishRsaMerchant } from '#server/demo/rsa-merchant.ts'
import type { LoadedConfiguration } from '#server/store/configuration.ts'
import { refusedTokenStore } from '#server/store/refused-tokens.ts'
import { CommandError } from '../kit/command-error.ts'
import type { Instance } from '../kit/instance.ts'
import { merchantNamed } from '../kit/named.ts'
import { sandboxUrl } from '../kit/sandbox.ts'
import { configurationOf, openedSecrets } from '../signing/merchant-keys.ts'
import type { MatrixScene, Payee } from './matrix-run.ts'

export async function matrixScene(instance: Instance, url: string): Promise<MatrixScene> {
  const sandbox = await sandboxUrl(instance.config)
  if (sandbox === null)
    throw new CommandError('The sandbox of this instance is not known.', 'Start the service first: "npm start".')
  await furnishRsaMerchant(instance, sandbox)
  const configuration = await configurationOf(instance)
  const payee = (name: string): Promise<Payee> => payeeNamed(instance, configuration, name)
  return {
    url,
    payees: {
      card: await payee('demo'),
      rsa: await payee('demo-wallet-rsa'),
      virtual: await payee('demo-wallet-virtual'),
      withoutWallet: await payee('demo-no-wallet'),
    },
    runId: instance.ids.next(),
    refusedBy: async (orderId) => {
      const [found] = await refusedTokenStore(instance.pool, instance.ids).find({ orderId, limit: 1 })
      return found?.record.checks.find(({ result }) => result === 'failed')?.id ?? null
    },
  }
}

async function payeeNamed(instance: Instance, configuration: LoadedConfiguration, name: string): Promise<Payee> {
  const { id, key, testKey } = await merchantNamed(instance.pool, name)
  const { passwords } = await openedSecrets(configuration, instance.clock, id)
  const digest: Digest = configuration.mapping(id, 'S2S_CARD')?.digest ?? 'md5'
  return { key, testKey, password: passwords[0] ?? '', digest }
}
