/** Shows the callbacks that the shop received, newest first, as they arrive. */
const everyMs = 1500
const list = document.getElementById('list')
let after = 0

const verdicts = {
  true: ['good', '✔ Signature verified'],
  false: ['bad', '✖ Signature invalid'],
  null: ['', 'Other protocol, not verified here'],
}

await look()

async function look() {
  for (;;) {
    if (!document.hidden) await ask().catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

async function ask() {
  const answer = await fetch(`/shop/callbacks?after=${after}`)
  if (!answer.ok) return
  for (const callback of (await answer.json()).reverse()) {
    after = Math.max(after, callback.sequence)
    list.prepend(itemOf(callback))
    document.getElementById('none').hidden = true
  }
}

function itemOf({ at, verified, fields }) {
  const [tone, verdict] = verdicts[String(verified)]
  const what = [fields.type ?? fields.action, fields.status ?? fields.result, fields.order_status].filter(Boolean)
  const order = [fields.order_number ?? fields.order_id, fields.order_amount ?? fields.amount, fields.order_currency]
  const summary = element('summary', {}, [
    element('strong', {}, [what.join(' · ')]),
    ' ',
    element('span', { className: 'order' }, [order.filter(Boolean).join(' ')]),
    element('span', { className: `verdict ${tone}` }, [`${verdict}, ${new Date(at).toLocaleTimeString()}`]),
  ])
  const rows = Object.entries(fields).map(([name, value]) =>
    element('div', {}, [element('dt', {}, [name]), element('dd', {}, [value])]),
  )
  const query = new URLSearchParams({ payment_id: fields.id ?? '', order_id: fields.order_number ?? '' })
  const link = fields.id
    ? [element('p', {}, [element('a', { href: `/shop/payment?${query}` }, ['Capture or refund'])])]
    : []
  return element('li', {}, [element('details', {}, [summary, element('dl', {}, rows), ...link])])
}

function element(name, properties, children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}
