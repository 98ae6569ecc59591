/** A complete form with the Checkout SDK: only the code that a merchant has to write. */
;(() => {
  const session = new window.PaySession({ formName: 'paymentForm', validateOnInput: true })
  const find = (id) => document.getElementById(id)
  const messages = {
    payer_card: 'Invalid card number',
    payer_expiryDate: 'The expiration date is not valid',
    payer_cvv: 'Invalid security code',
    payer_name: 'Enter your name',
    payer_email: 'Enter a valid e-mail',
  }
  const say = (text) => {
    find('notice').textContent = text
    busy(false)
  }
  const busy = (yes) => find('pay').setAttribute('aria-disabled', String(yes))

  session.onFormReady = () => {
    const { number, description } = session.getOrderInfo()
    const { name, email } = session.getCustomerInfo()
    find('order').textContent = `${description} · ${number}`
    find('payer_name').value = name
    find('payer_email').value = email
    find('cancel').href = session.getCancelUrl()
    find('cancel').hidden = session.getCancelUrl() === ''
    offerSavedCards(session.getCardTokens())
  }
  session.onInputValidation = ({ result, inputId }) => {
    const input = find(inputId)
    const wrong = result === 'error'
    // While the payer types, errors are not shown, only removed.
    if (!input || (wrong && document.activeElement === input && !submitting)) return
    input.setAttribute('aria-invalid', String(wrong))
    find(`${inputId}_error`).textContent = wrong ? (messages[inputId] ?? 'This value is not valid') : ''
    if (wrong) busy(false)
  }
  session.onSuccess = ({ successUrl }) => {
    say('Thank you. Your payment went through.')
    location.assign(successUrl)
  }
  session.onDecline = ({ message }) => say(message)
  session.onUndefined = ({ message }) => say(message)
  session.handleError = ({ message }) => say(message)

  let submitting = false
  document.forms.namedItem('paymentForm').addEventListener(
    'submit',
    () => {
      submitting = true
      busy(true)
      setTimeout(() => {
        submitting = false
      })
    },
    { capture: true },
  )
  find('wallet-a').addEventListener('click', () => session.beginWallet('walletapay'))

  function offerSavedCards(cards) {
    const list = find('saved')
    list.hidden = cards.length === 0
    for (const { token, brand, last, month, year } of cards) addChoice(`${brand} ···· ${last}, ${month}/${year}`, token)
    if (cards.length > 0) addChoice('Another card', '')
    list.querySelector('input')?.click()
  }

  function addChoice(text, token) {
    const label = document.createElement('label')
    const choice = Object.assign(document.createElement('input'), { type: 'radio', name: 'saved', value: token })
    choice.addEventListener('change', () => {
      if (token === '') session.clearCardToken()
      else session.setCardToken(token)
      for (const field of document.querySelectorAll('.new-card')) field.hidden = token !== ''
    })
    label.append(choice, text)
    find('saved').append(label)
  }

  session.begin()
})()
