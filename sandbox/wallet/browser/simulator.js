/**
 * The common part of both replacements (Chapter 40 §20.5): settings, the choices planned by a test, the gateway's simulator, and the sheet.
 *
 * A plain script, not a module, because a page expects the wallets' objects before its own scripts run. It loads nothing and sets no inline
 * style, so it works under any policy that allows the script itself.
 */
;(() => {
  const LEAST_OS_VERSION = 18
  /** The gateway that this script came from: on a merchant's own page another origin than the page. */
  const gateway = new URL(document.currentScript?.src || location.href).origin
  const settings = {
    merchantKey: '',
    api: `${gateway}/simulator/api`,
    phoneUrl: `${gateway}/simulator/phone`,
    validationUrl: `${gateway}/simulator/session`,
    walletBVersion: 'ECv2',
    walletAVersion: 'EC_v1',
    /** The browser to simulate: `maker` (the wallet provider's own), `maker-no-card` (the same without a card), `other` or `unsupported`. */
    browser: new URLSearchParams(location.search).get('wallet_browser') ?? cookie('wallet_browser') ?? 'maker',
  }
  let planned = null

  window.gatehouseWallet = {
    settings,
    configure: (changes) => Object.assign(settings, changes),
    /** Answers the next sheet at once with these choices: `{card, pan_type, fault}`, or `{cancel: true}`. */
    next: (choices) => {
      planned = choices
    },
    mint: (request) => post('/tokens', { merchant_key: settings.merchantKey, ...request }),
    beginScan: (request) =>
      post('/scan', { merchant_key: settings.merchantKey, phone_url: settings.phoneUrl, ...request }),
    scanEvents: (id) => new EventSource(`${settings.api}/scan/${encodeURIComponent(id)}/events`),
    openSheet,
    openDialog,
    element,
    isPrivileged: () =>
      location.protocol === 'https:' || /^(?:(?:.+\.)?localhost|127\.0\.0\.1)$/.test(location.hostname),
  }

  function cookie(name) {
    const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
    return found === undefined ? null : decodeURIComponent(found.slice(name.length + 1))
  }

  async function post(path, body) {
    const answer = await fetch(settings.api + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const content = await answer.json()
    if (answer.ok) return content
    throw new Error(content?.error?.message ?? content?.error_message ?? `The simulator answered ${answer.status}.`)
  }

  async function list(path, name) {
    const answer = await fetch(settings.api + path)
    return answer.ok ? ((await answer.json())[name] ?? []) : []
  }

  /**
   * Asks the payer. `confirm(choices)` is called with the choices, and again if it fails; `cancel` is called if the payer gives up. Returns
   * `close`.
   */
  function openSheet({ title, rows, version, numbers, confirm, cancel, choose }) {
    const plan = planned
    planned = null
    const dialog = openDialog(title, rows, cancel)
    const form = element('form', { method: 'dialog' })
    dialog.content.append(form)
    const card = select(form, 'Card', [['approve', 'approve']])
    const number = select(form, 'Number', numbers)
    const phone = osVersion(form)
    const fault = select(form, 'Behaviour', [['none', 'Valid token']])
    const say = form.appendChild(element('p', { role: 'status' }))
    const button = form.appendChild(element('button', { type: 'submit', class: 'confirm' }, 'Confirm'))
    const choices = () => ({ card: card.value, pan_type: number.value, fault: fault.value, ...plan })

    phone.addEventListener('input', () => {
      button.disabled = Number(phone.value) < LEAST_OS_VERSION
      say.textContent = button.disabled ? `Not supported: OS ${LEAST_OS_VERSION} or later is required.` : ''
    })
    const run = async () => {
      button.disabled = true
      say.textContent = 'One moment …'
      try {
        await confirm(choices())
        say.textContent = ''
      } catch (error) {
        say.textContent = error.message
        button.disabled = false
      }
    }
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void run()
    })
    card.addEventListener('change', () => choose?.(choices()))
    const ready = Promise.all([fill(card, fault, version), Promise.resolve(choose?.(choices()))])
    if (plan?.cancel) queueMicrotask(() => dialog.cancel())
    else if (plan) void ready.then(run)
    return { close: dialog.close }
  }

  async function fill(card, fault, version) {
    const [cards, faults] = await Promise.all([list('/cards', 'cards'), list('/faults', 'faults')])
    if (cards.length > 0) card.replaceChildren(...cards.map(({ name, outcome }) => option(name, `${name}: ${outcome}`)))
    const fitting = faults.filter(({ versions }) => versions.includes(version))
    fault.append(...fitting.map(({ fault: name, mutation }) => option(name, `${name}: ${mutation}`)))
  }

  /** A modal dialog with the mark of the sandbox, the order, and a cancel button. */
  function openDialog(title, rows, cancel) {
    const dialog = element('dialog', { class: 'gatehouse-wallet', 'aria-labelledby': 'gatehouse-wallet-title' })
    const order = element('dl')
    for (const [name, value] of rows) order.append(element('dt', {}, name), element('dd', {}, value))
    const content = element('div')
    const giveUp = element('button', { type: 'button' }, 'Cancel')
    dialog.append(
      element('p', { class: 'sandbox' }, 'SANDBOX'),
      element('h2', { id: 'gatehouse-wallet-title' }, title),
      order,
      content,
      giveUp,
    )
    let open = true
    const close = () => {
      open = false
      dialog.close()
      dialog.remove()
    }
    const cancelled = () => {
      if (!open) return
      close()
      cancel()
    }
    giveUp.addEventListener('click', cancelled)
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault()
      cancelled()
    })
    addStyle()
    document.body.append(dialog)
    dialog.showModal()
    return { content, close, cancel: cancelled }
  }

  function select(form, label, choices) {
    const id = `gatehouse-wallet-${label.toLowerCase()}`
    const control = element('select', { id })
    control.append(...choices.map(([value, title]) => option(value, title)))
    form.append(element('label', { for: id }, label), control)
    return control
  }

  function osVersion(form) {
    const id = 'gatehouse-wallet-os-version'
    const control = element('input', { id, type: 'number', min: '1', max: '99', value: String(LEAST_OS_VERSION) })
    form.append(element('label', { for: id }, 'OS version of the phone'), control)
    return control
  }

  function option(value, title) {
    return element('option', { value }, title)
  }

  function element(name, attributes = {}, text = '') {
    const made = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    made.textContent = text
    return made
  }

  let hasStyle = false

  function addStyle() {
    if (hasStyle) return
    hasStyle = true
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }

  const style = `
    .gatehouse-wallet { box-sizing: border-box; width: min(24rem, 94vw); padding: 1.25rem; border: 1px solid #767d89; border-radius: .75rem; background: #fff; color: #1c1e21; font: 1rem/1.5 system-ui, sans-serif }
    .gatehouse-wallet::backdrop { background: rgb(0 0 0 / .5) }
    .gatehouse-wallet .sandbox { margin: 0 0 .75rem; padding: .25rem; background: #7a4b00; color: #fff; text-align: center; font-weight: 700; letter-spacing: .08em }
    .gatehouse-wallet h2 { margin: 0 0 .75rem; font-size: 1.25rem }
    .gatehouse-wallet dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0 0 .75rem }
    .gatehouse-wallet dt { color: #565d69 }
    .gatehouse-wallet dd { margin: 0; text-align: end; font-weight: 600; overflow-wrap: anywhere }
    .gatehouse-wallet p { overflow-wrap: anywhere }
    .gatehouse-wallet label { display: block; margin: .5rem 0 .25rem; color: #565d69 }
    .gatehouse-wallet select, .gatehouse-wallet input, .gatehouse-wallet button { box-sizing: border-box; width: 100%; min-height: 2.75rem; border: 1px solid #767d89; border-radius: .375rem; background: #fff; color: #1c1e21; font: inherit }
    .gatehouse-wallet button { margin-top: .75rem; border-color: #1d5bb8; color: #1d5bb8; font-weight: 600; cursor: pointer }
    .gatehouse-wallet button.confirm { background: #1d5bb8; color: #fff }
    .gatehouse-wallet button:disabled { opacity: .5 }
    .gatehouse-wallet svg { display: block; width: min(16rem, 100%); margin: 0 auto; background: #fff }
    .gatehouse-wallet :focus-visible { outline: 3px solid #1d5bb8; outline-offset: 2px }
  `
})()
