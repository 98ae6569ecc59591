/** The reader's own values in the examples: of the demo merchant on a sandbox, or of a merchant of the signed-in user of the panel. */

interface Reader {
  readonly mode: 'sandbox' | 'live'
  readonly base_url: string
  /** Whether the panel is at the same address, so that its user may be signed in. */
  readonly panel: boolean
  /** Of the demo merchant of a sandbox. */
  readonly merchant: { readonly title: string; readonly key: string; readonly password: string | null } | null
}

interface PanelMerchant {
  readonly title: string
  readonly testKey: string
}

export async function fillReader(): Promise<void> {
  const address = document.documentElement.dataset['reader']
  if (address === undefined) return
  const reader = await load<Reader>(address)
  if (!reader) return
  fill({ base_url: reader.base_url })
  if (reader.merchant) return showDemo(reader.merchant)
  if (!reader.panel) return
  const merchants = (await load<{ merchants: readonly PanelMerchant[] }>('/admin/api/merchants'))?.merchants ?? []
  const [first] = merchants
  if (!first) return
  fill({ key: first.testKey })
  show([
    `The examples have the test key of `,
    chooserOf(merchants),
    '. The password is shown once, when it is made: enter it yourself.',
  ])
}

function showDemo({ title, key, password }: NonNullable<Reader['merchant']>): void {
  fill({ key, ...(password === null ? {} : { password }) })
  show([
    password === null
      ? `The examples have the address of this sandbox and the key of its merchant “${title}”. The password was printed when the sandbox was started.`
      : `The examples have the address of this sandbox, and key and password of its merchant “${title}”: copy and run them.`,
  ])
}

function chooserOf(merchants: readonly PanelMerchant[]): Node {
  const [only] = merchants
  if (merchants.length === 1 && only) return document.createTextNode(`“${only.title}”`)
  const select = document.createElement('select')
  select.setAttribute('aria-label', 'Merchant of the examples')
  for (const { title } of merchants) select.append(new Option(title))
  select.addEventListener('change', () => fill({ key: merchants[select.selectedIndex]?.testKey ?? '' }))
  return select
}

function show(parts: readonly (string | Node)[]): void {
  const line = document.querySelector<HTMLElement>('#reader')
  if (!line) return
  line.replaceChildren(...parts)
  line.hidden = false
}

function fill(values: Readonly<Record<string, string>>): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-fill]')) {
    const value = values[place.dataset['fill'] ?? '']
    if (value === undefined) continue
    place.textContent = value
    place.classList.add('own')
  }
}

/** Null if it is not there, or not for this reader. */
async function load<T>(address: string): Promise<T | null> {
  try {
    const reply = await fetch(address, { headers: { accept: 'application/json' } })
    return reply.ok ? await reply.json() : null
  } catch {
    return null
  }
}
