/** The shop's own payment page with hosted fields: the code that a merchant would write. */
const form = document.getElementById('pay')
const notice = document.getElementById('notice')
const fields = new window.HostedFields()
const dark = matchMedia('(prefers-color-scheme: dark)').matches

const session = await post('/shop/fields/begin', {})
if (session.fault) complain(session.fault)
else await show(session)

async function show({ clientToken, order }) {
  for (const name of ['card', 'expiry', 'cvv']) follow(name)
  for (const label of document.querySelectorAll('[data-field]'))
    label.addEventListener('click', () => fields.focus(label.dataset.field))
  await fields.init({
    sessionToken: clientToken,
    fields: {
      card: { id: 'card', placeholder: '4111 1111 1111 1111' },
      expiry: { id: 'expiry', placeholder: 'MM/YY' },
      cvv: { id: 'cvv', placeholder: '000' },
    },
    style: {
      input: { 'font-size': '16px', padding: '10px 12px', color: dark ? '#eceef1' : '#1a1d21', outline: 'none' },
      '::placeholder': { color: dark ? '#b2b8c2' : '#565d69', opacity: '1' },
    },
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const collected = await fields.collectIframesData()
    if (collected.result === 'error') return complain(collected.message)
    say('One moment, please.')
    await pay(order)
  })
}

async function pay(order) {
  const { body } = await post('/shop/fields/pay', { order, name: document.getElementById('name').value })
  const {
    result,
    redirect_url: url,
    decline_message: reason,
    error_message: fault,
    return_url_query_params: query,
  } = body
  if (result === 'redirect') return location.assign(url)
  if (result === 'success')
    return location.assign(`${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`)
  complain(reason ?? fault ?? 'The result is not available yet. Please do not pay again.')
}

function follow(name) {
  const frame = document.getElementById(name)
  fields[`${name}On`] = {
    input: ({ valid }) => valid && frame.classList.remove('wrong'),
    focus: () => frame.classList.add('focused'),
    blur: () => frame.classList.remove('focused'),
  }
}

fields.onSubmitResult = ({ errors = [] }) => {
  for (const { field } of errors) document.getElementById(field).classList.add('wrong')
}

function say(text) {
  notice.className = ''
  notice.textContent = text
}

function complain(text) {
  say(text)
  notice.className = 'bad'
}

async function post(path, body) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return answer.json()
}
