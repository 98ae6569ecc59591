/**
 * A preview of the hosted page for the branding form of the panel: the real page with a sample session. Nothing is stored for it, and its
 * buttons send no request. Chapter 50 §8, "Checkout branding".
 */
import type { BrandTemplate } from '#domain/checkout/branding.ts'
import { languageOf } from '#domain/place/language.ts'
import { isPlainHttp } from '../../payer-pages/page.ts'
import type { HostedPageParts } from '../parts.ts'
import { policyHeaders } from '../policy.ts'
import { shellHtml } from '../shell.ts'
import { pageTexts } from '../texts.ts'
import type { BrandingAnswer } from './branding.ts'
import { languageCoded } from './page-session.ts'

/** A saved or unsaved branding; the logo as a path on this host, or as a `data:` address. */
interface PreviewedBranding extends BrandingAnswer {
  readonly template: BrandTemplate
}

type Parts = Pick<HostedPageParts, 'files' | 'publicUrl' | 'clock'>

/** The document of a frame that only this host may embed. */
export function previewPage(
  { files, publicUrl, clock }: Parts,
  { template, ...branding }: PreviewedBranding,
  code = 'en',
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const language = languageCoded(languageOf(code))
  const { title } = pageTexts(language.code)
  const preview = { ...sampleSession(clock.now()), language: language.code, direction: language.direction, branding }
  const shell = {
    language,
    title: `${title} · ${branding.name}`,
    pinned: true,
    mode: 'live',
    template,
    preview,
  } as const
  const headers = policyHeaders({
    embedders: "'self'",
    plainHttp: isPlainHttp(publicUrl()),
    trustedTypes: true,
  })
  return { headers: { ...headers, 'cache-control': 'no-store' }, body: shellHtml(shell, files) }
}

const lifetimeMs = 3_600_000

/** The answer of GET /page/v1/session with an example of everything that a branding affects. */
const sampleSession = (now: Date): object => ({
  state: 'ready',
  operation: 'purchase',
  auth: false,
  test: false,
  moto: false,
  order: { number: 'ORDER-1001', amount: '49.90', currency: 'EUR', description: 'Running shoes, size 42' },
  vat_amount: '9.98',
  total_amount: '59.88',
  expires_at: new Date(now.getTime() + lifetimeMs).toISOString(),
  server_time: now.toISOString(),
  methods: [
    {
      code: 'card',
      kind: 'card',
      fields: sampleFields.map(([name, type]) => ({ name, type, required: true })),
      // Off, because the button shows its colour only after the terms are accepted.
      terms: false,
      networks: ['visa', 'mastercard', 'amex'],
    },
  ],
  card_tokens: [],
  customer: {},
  billing_address: {},
  declines: { count: 0, max: 3 },
  terms: { url: '/terms' },
  cancel_url: '/',
})

const sampleFields = [
  ['card.number', 'card-number'],
  ['card.expiry', 'expiry'],
  ['card.cvv', 'code'],
  ['customer.name', 'name'],
] as const
