/** `/` of a sandbox instance: leads to everything that can be tried there. */
import type { FastifyInstance } from 'fastify'
import { noteRequest } from '../../observe/requests.ts'
import { html } from '../payer-pages/html.ts'
import type { BuiltSite } from './built-site.ts'
import { sitePageHeaders } from './site.ts'

export interface WelcomeOptions {
  readonly site: BuiltSite
  readonly shopUrl: string
  readonly panelUrl: () => string
  readonly release: string
}

export function welcomeRoute(app: FastifyInstance, { site, shopUrl, panelUrl, release }: WelcomeOptions): void {
  const links = () =>
    [
      ['/docs', 'Documentation', 'Guides, examples with this sandbox’s address and key, and the reference.'],
      ['/docs/first-payment', 'First payment', 'Charge a test card in five minutes.'],
      [shopUrl, 'Demo shop', 'Buy something: hosted page, hosted fields, 3-D Secure, wallets, subscriptions.'],
      [
        panelUrl(),
        'Admin panel',
        'Payments, merchants and routing. The login was printed when the sandbox was started.',
      ],
      [`${panelUrl()}/simulator`, 'Wallet simulator', 'Wallet payments without a device, in the panel.'],
      ['/openapi/checkout.json', 'OpenAPI', 'Checkout; also S2S CARD and S2S APM, see the documentation.'],
    ] as const
  app.get('/', (request, reply) => {
    noteRequest(request, { protocol: 'page' })
    const items = links().map(
      ([address, name, about]) => html`<li><a href="${address}"><strong>${name}</strong><span>${about}</span></a></li>`,
    )
    const body = html`<main id="main" class="alone"><h1>Gatehouse sandbox</h1>
<p>This instance moves no money. Everything can be tried with test cards.</p>
<ul class="welcome">${items}</ul><p>Release ${release}</p></main>`
    return reply.headers(sitePageHeaders).send(site.document({ title: 'Sandbox', body: body.markup }))
  })
}
