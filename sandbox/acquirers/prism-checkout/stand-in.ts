/** The company of `checkout`, with the credentials of the connector `prism-checkout`: every payer authenticates on its page. */
import { openCheckout } from '../checkout/stand-in.ts'
import type { OpenStandIn } from '../kit/stand-in.ts'

export const openPrismCheckout: OpenStandIn = async (folder) => {
  const company = await openCheckout(folder)
  return {
    routes: company.routes,
    now: company.now,
    credentials: (url) => {
      const { live, test } = company.credentials(url)
      return { live: familyCredentials(live), test: familyCredentials(test) }
    },
    close: () => company.close(),
  }
}

/** By the names that the family gives them. */
const familyCredentials = (issued: Readonly<Record<string, unknown>>) => ({
  api_key: issued['public_key'],
  api_secret: issued['secret_key'],
  processing_channel_id: issued['processing_channel_id'],
  three_ds: 'always',
  base_url: issued['base_url'],
})
