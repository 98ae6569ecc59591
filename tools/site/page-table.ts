/** The pages of the documentation site, in the order of its contents. */

export interface SitePage {
  /** The last part of its address; empty for the first page. */
  readonly slug: string
  /** In the contents. */
  readonly title: string
  readonly source: string
}

interface SiteGroup {
  readonly title: string
  readonly pages: readonly SitePage[]
}

const guide = (slug: string, title: string): SitePage => ({ slug, title, source: `docs/guide/${slug}.md` })
const reference = (name: string, title: string): SitePage => ({
  slug: `reference-${name}`,
  title,
  source: `docs/interface/${name}.md`,
})

export const siteGroups: readonly SiteGroup[] = [
  {
    title: 'Start',
    pages: [{ slug: '', title: 'Overview', source: 'docs/guide/README.md' }, guide('first-payment', 'First payment')],
  },
  {
    title: 'Take payments',
    pages: [
      guide('hosted-page', 'Hosted page'),
      guide('hosted-fields', 'Hosted fields'),
      guide('sdk-form', 'SDK form'),
      guide('server-to-server', 'Server to server'),
      guide('wallets', 'Wallets'),
      guide('3-d-secure', '3-D Secure'),
    ],
  },
  {
    title: 'After the payment',
    pages: [
      guide('callbacks', 'Callbacks'),
      guide('refunds', 'Refunds and captures'),
      guide('saved-cards', 'Saved cards'),
      guide('subscriptions', 'Subscriptions'),
    ],
  },
  {
    title: 'Before going live',
    pages: [guide('testing', 'Testing'), guide('going-live', 'Going live'), guide('migrating', 'Migrating a plugin')],
  },
  {
    title: 'Libraries',
    pages: [
      { slug: 'client', title: 'Overview and test vectors', source: 'client/README.md' },
      { slug: 'client-typescript', title: 'TypeScript, command line', source: 'client/typescript/README.md' },
      { slug: 'client-php', title: 'PHP', source: 'client/php/README.md' },
    ],
  },
  {
    title: 'Reference',
    pages: [
      reference('checkout', 'Checkout'),
      reference('hosted-fields', 'Hosted Payment Fields'),
      reference('checkout-sdk', 'Checkout SDK'),
      reference('s2s-card', 'S2S CARD'),
      reference('s2s-apm', 'S2S APM'),
      reference('brands', 'Brands'),
      reference('events', 'Events feed'),
      reference('signatures', 'Signatures'),
      reference('states', 'Payment states'),
      reference('errors', 'Errors'),
      reference('report-fields', 'Report fields'),
      reference('mapping-options', 'Mapping options'),
      { slug: 'changelog', title: 'Changelog', source: 'CHANGELOG.md' },
    ],
  },
]

export const sitePages: readonly SitePage[] = siteGroups.flatMap(({ pages }) => pages)
